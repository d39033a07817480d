import { readPointer } from '../../../src/domain/context/pointer';

test.each([
  ['s12', { to: 'step', step: 12 }],
  ['s12.a0', { to: 'action', step: 12, index: 0 }],
  ['s1-s50', { to: 'steps', from: 1, upto: 50 }],
  ['input/3', { to: 'input', ordinal: 3 }],
  ['failed', { to: 'list', kind: 'failed' }],
  ['facts', { to: 'list', kind: 'fact' }],
  ['decisions', { to: 'list', kind: 'decision' }],
  ['changes', { to: 'list', kind: 'change' }],
  ['steps', { to: 'list', kind: 'pointer' }],
  ['goal', { to: 'item', id: 'goal' }],
  ['change/src/a b/ü.ts', { to: 'item', id: 'change/src/a b/ü.ts' }],
  ['effect/s3.a1', { to: 'item', id: 'effect/s3.a1' }],
  ['order-7/1/s3.a1', { to: 'action', attempt: 'order-7/1', step: 3, index: 1 }],
  ['order-7/12/input/2', { to: 'input', attempt: 'order-7/12', ordinal: 2 }],
  ['effect/order-7/1/s3.a1', { to: 'item', id: 'effect/order-7/1/s3.a1' }],
])('R13.3 %s is a pointer', (text, pointer) => {
  expect(readPointer(text)).toEqual(pointer);
});

test.each([
  '',
  's0',
  's01',
  's3.a',
  's3.a01',
  's5-s4',
  's1-5',
  'input/0',
  'input/x',
  'Goal',
  'goal/1',
  'revision/',
  'order-7/0/s3.a1',
  'Order/1/s3',
  '../../s3',
  ' s3',
  's3 ',
  's3\n',
  `s${'9'.repeat(10)}`,
  `change/${'x'.repeat(5_000)}`,
])('R13.3 %j points to nothing', (text) => {
  expect(readPointer(text)).toBeUndefined();
});
