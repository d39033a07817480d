import assert from 'node:assert/strict';
import { test } from 'node:test';
import { total } from '../src/cart.js';

test('an empty cart costs nothing', () => {
  assert.equal(total([]), 0);
});

test('lines add up', () => {
  const lines = [
    { price: 250, quantity: 2 },
    { price: 999, quantity: 1 },
  ];
  assert.equal(total(lines), 1499);
});

test('a discount is whole cents, rounded half up', () => {
  assert.equal(total([{ price: 999, quantity: 1 }], 10), 899);
  assert.equal(total([{ price: 105, quantity: 1 }], 10), 94);
});

test('a discount is taken from the sum, not from each line', () => {
  const lines = [
    { price: 333, quantity: 1 },
    { price: 333, quantity: 1 },
    { price: 333, quantity: 1 },
  ];
  assert.equal(total(lines, 10), 899);
});
