import { actionNamed, placeNamed } from '../../src/requests/naming/action-name';

const ref = { tenant: 'default', id: 'refund/1', key: 1 };
const waiting = (...ids: string[]) => ({ ids, what: 'waits for an approval' });

test.each([
  ['its place', 's3.a0'],
  ['its whole id', 'refund/1/s3.a0'],
])('an action is named by %s', (_how, given) => {
  expect(actionNamed(ref, given, waiting())).toBe('refund/1/s3.a0');
  expect(placeNamed(ref, given)).toEqual({ step: 3, index: 0 });
});

test('it may be left out where just one is meant', () => {
  expect(actionNamed(ref, undefined, waiting('refund/1/s2.a1'))).toBe('refund/1/s2.a1');
});

test.each([
  [[], 'not_pending', 'No action of refund/1 waits for an approval.', 'holdfast show refund/1'],
  [
    ['refund/1/s2.a0', 'refund/1/s2.a1'],
    'ambiguous',
    '2 actions of refund/1 could be meant.',
    'refund/1/s2.a0, refund/1/s2.a1',
  ],
])('where none is named and %j wait, that is said', (ids, code, message, next) => {
  expect(() => actionNamed(ref, undefined, waiting(...ids))).toThrow(
    expect.objectContaining({ code, message, next: expect.stringContaining(next) }),
  );
});

test.each(['s0.a0', 's1', 'refund/2/s1.a0', '', 's1.a-1', '../s1.a0'])(
  '"%s" names no action of this attempt',
  (given) => {
    expect(() => actionNamed(ref, given, waiting('refund/1/s2.a0'))).toThrow(
      expect.objectContaining({ code: 'invalid', next: expect.stringContaining('s3.a0') }),
    );
  },
);
