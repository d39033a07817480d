import { type Bound, bindingOf } from '../../../src/domain/policy/binding';

const bound: Bound = {
  tenant: 'default',
  attempt: 'refund-1042/1',
  action: 'refund-1042/1/s2.a0',
  tool: 'create_refund',
  toolVersion: '0123456789abcdef',
  effect: 'deduplicated',
  argsHash: 'a'.repeat(64),
  target: 'order:1042',
  contractVersion: 1,
  policy: 'fedcba9876543210',
  expiresAt: 1_800_000_000_000,
};
/** Another value of each thing that an answer is about. */
const others: Bound = {
  tenant: 'other',
  attempt: 'refund-1042/2',
  action: 'refund-1042/1/s2.a1',
  tool: 'reverse_refund',
  toolVersion: 'fedcba9876543210',
  effect: 'unsafe',
  argsHash: 'b'.repeat(64),
  target: 'order:1043',
  contractVersion: 2,
  policy: '0123456789abcdef',
  expiresAt: 1_800_000_000_001,
};

test('R5.3 a request is the same while all that it is about is, in whatever order it is written', () => {
  const reversed = Object.fromEntries(Object.entries(bound).reverse()) as unknown as Bound;
  expect(bindingOf(reversed)).toBe(bindingOf(bound));
  expect(bindingOf(bound)).toMatch(/^[0-9a-f]{64}$/);
});

test.each(Object.keys(bound) as (keyof Bound)[])('R5.3 another %s is another request', (what) => {
  expect(bindingOf({ ...bound, [what]: others[what] })).not.toBe(bindingOf(bound));
});
