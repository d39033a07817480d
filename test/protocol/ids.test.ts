import { actionId, attemptId, eventId, namePattern, placeOf, workflowId } from '../../src/protocol/ids';

test('M6 ids are made from positions alone, so that a repeat makes the same ones', () => {
  const attempt = attemptId('refund-1042', 3);

  expect(attempt).toBe('refund-1042/3');
  expect(workflowId('acme', attempt)).toBe('attempt/acme/refund-1042/3');
  expect(actionId(attempt, 12, 0)).toBe('refund-1042/3/s12.a0');
  expect(eventId(attempt, 41, 2)).toBe('refund-1042/3/m41.2');
});

test.each(['a', 'shop', 'refund-1042', '0', 'a.b_c-d', 'a'.repeat(63)])(
  'M6 %p is safe as a name in every id',
  (name) => {
    expect(name).toMatch(namePattern);
  },
);

test.each(['', '-a', '.hidden', 'A', 'a/b', 'a b', 'a:b', 'ä', '..', 'a'.repeat(64), 'a\n'])(
  'M6 %p is no name',
  (name) => {
    expect(name).not.toMatch(namePattern);
  },
);

test('M6 the place of an action is read from its id, and only in its own attempt', () => {
  expect(placeOf('refund/1', actionId('refund/1', 12, 0))).toEqual({ step: 12, index: 0 });
  for (const other of [
    'refund/2/s1.a0',
    'refund/1',
    'refund/1/s1',
    's1.a0',
    'refund/1/s0.a0',
    'refund/1/s1.a00',
    'refund/11/s1.a0',
  ])
    expect(placeOf('refund/1', other)).toBeUndefined();
});
