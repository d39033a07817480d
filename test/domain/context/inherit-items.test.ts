import { inheritItems } from '../../../src/domain/context/inherit-items';
import { inheritedItems } from '../../../src/domain/context/items/inherited-items';
import { makeProjection } from '../../../src/domain/context/make-projection';
import { readPointer } from '../../../src/domain/context/pointer';
import { count, items, projection } from './sample';

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
  const [earlier, ...kept] = inheritItems([], 'fix-1/1', said);
  expect(kept.map(({ source }) => source).at(0)).toBe('fix-1/1/input/71');
  expect(kept.map(({ source }) => source).at(-1)).toBe('fix-1/1/input/100');
  expect(kept.every(({ text }) => text.length <= 500)).toBe(true);
  expect(earlier).toEqual({
    id: 'revision/input/fix-1/1/1',
    kind: 'revision',
    text: '70 earlier messages, which recall reads one by one: the first is fix-1/1/input/1, the last fix-1/1/input/70',
    source: 'fix-1/1/input/1',
  });
  // It is shown for good, and the attempt after the next one has it as well.
  expect(inheritItems(earlier ? [earlier] : [], 'fix-1/2', [])).toEqual([earlier]);
});

test('R12.3 what had no room in what was inherited is pointed to from then on, in the ancestor that lists it', () => {
  const left = [
    { kind: 'fact', count: 12, pointer: 'fix-1/1/facts' },
    { kind: 'failed', count: 1, pointer: 'fix-1/1/failed' },
  ] as const;
  const known = inheritedItems({ items: inherited, left });
  expect(known.slice(0, -2)).toEqual(inherited);
  expect(known.slice(-2)).toEqual([
    {
      id: 'pointer/fix-1/1/facts',
      kind: 'pointer',
      text: '12 more of "Verified facts" are listed there',
      source: 'fix-1/1/facts',
    },
    {
      id: 'pointer/fix-1/1/failed',
      kind: 'pointer',
      text: '1 more of "What failed; the same in an unchanged world fails again" are listed there',
      source: 'fix-1/1/failed',
    },
  ]);
  for (const { id, source = '' } of known.slice(-2)) {
    expect(readPointer(id)).toEqual({ to: 'item', id });
    expect(readPointer(source)).toMatchObject({ attempt: 'fix-1/1', to: 'list' });
  }
});

test('R12.3 down a chain of attempts with no room at all, each list names the one before it', () => {
  const all = { ...projection, madeBy: 'inherited', itemTokens: 0, summary: '', count } as const;
  const first = makeProjection({ ...all, items: inherited });
  const left = first.left.map((kind) => ({ ...kind, pointer: `fix-1/1/${kind.pointer}` }));
  // The second attempt's own list of pointers has them, and the third one is told of that list.
  const listed = inheritedItems({ ...first, left }).filter(({ kind }) => kind === 'pointer');
  expect(listed.map(({ source }) => source)).toEqual(left.map(({ pointer }) => pointer));
  const handedOn = inheritItems(listed, 'fix-1/2', []);
  expect(handedOn).toEqual(listed);
  expect(makeProjection({ ...all, items: handedOn }).left).toEqual([
    { kind: 'pointer', count: listed.length, pointer: 'steps' },
  ]);
});
