import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatted } from '../src/money.js';

test('cents are written with two digits', () => {
  assert.equal(formatted(1234), '12.34');
  assert.equal(formatted(5), '0.05');
});
