import { actionId, attemptId, eventId, namePattern, workflowId } from '../../src/protocol/ids';

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
