import { inheritItems } from '../../../src/domain/context/inherit-items';
import { items } from './sample';

const inherited = inheritItems(items, 'fix-1/1', [{ ordinal: 2, text: 'Never touch config.' }]);
const ids = (of: typeof inherited) => of.map(({ id }) => id);

test('R12.3 an ancestor leaves facts, effects, failures, decisions, changes, pointers and what its user said', () => {
  expect(ids(inherited)).toEqual([
    'revision/input/fix-1/1/2',
    'fact/tests',
    'effect/fix-1/1/s7.a0',
    'effect/fix-1/1/s8.a0',
    'change/src/sum.js',
    'change/src/new.js',
    'failed/fix-1/1/s41.a0',
    'decision/fix-1/1/s7.a0',
    'decision/fix-1/1/s3.a0',
    'pointer/fix-1/1/s1-s50',
    'pointer/fix-1/1/s51-s60',
  ]);
});

test('R12.3 what is inherited points to the ancestor’s record', () => {
  expect(inherited.map(({ source }) => source).filter((source) => source !== undefined)).toEqual([
    'fix-1/1/input/2',
    'fix-1/1/s7.a0',
    'fix-1/1/s8.a0',
    'fix-1/1/s5.a0',
    'fix-1/1/s41.a0',
    'fix-1/1/s7.a0',
    'fix-1/1/s3.a0',
    'fix-1/1/s1-s50',
    'fix-1/1/s51-s60',
  ]);
});

test('R12.3 what was inherited before is handed on as it is', () => {
  expect(inheritItems(inherited, 'fix-1/2', [])).toEqual(inherited);
});

test('R12.3 an effect of the ancestor whose outcome nobody knows stays a block', () => {
  expect(inherited.find(({ id }) => id === 'effect/fix-1/1/s8.a0')?.kind).toBe('block');
});

test('R12.3 of what the ancestor’s user said the newest is kept, so that a chain of attempts stays bounded', () => {
  const said = Array.from({ length: 100 }, (_, k) => ({ ordinal: k + 1, text: 'x'.repeat(5_000) }));
  const kept = inheritItems([], 'fix-1/1', said);
  expect(kept.map(({ source }) => source).at(0)).toBe('fix-1/1/input/71');
  expect(kept.map(({ source }) => source).at(-1)).toBe('fix-1/1/input/100');
  expect(kept.every(({ text }) => text.length <= 500)).toBe(true);
});
