import { createPolicy } from '../../src/policy/create-policy';
import { people, policyFiles, refund, rules } from './support/policy-of';
import { shopTools } from './support/shop-tools';

function termsOf(more: string, singleUser = false) {
  const files = policyFiles(rules(`{ id: ask, decision: require_approval, ${more} }`));
  const policy = createPolicy({ files, principals: people, tools: shopTools, singleUser });
  const decision = policy.decide(refund(1));
  return { ...('terms' in decision && decision.terms), relaxed: policy.rules.map(({ relaxed }) => relaxed) };
}

test.each([
  ['two approvals', 'approvals: 2', 'authenticated'],
  ['a role', 'approvers: ["role:finance"]', 'authenticated'],
  ['a name alone', 'approvers: [ana]', 'asserted'],
  ['a role, where the rule says so', 'approvers: ["role:finance"], channel: asserted', 'asserted'],
  ['a name, where the rule says so', 'approvers: [ana], channel: authenticated', 'authenticated'],
])('R5.5 a request for %s takes answers that are %s', (_what, more, channel) => {
  expect(termsOf(more)).toMatchObject({ channel, relaxed: [false] });
});

test("R5.5 one person's own installation takes answers as they come, says of which rules, and obeys a rule that insists", () => {
  expect(termsOf('approvals: 2', true)).toMatchObject({ channel: 'asserted', approvals: 2, relaxed: [true] });
  expect(termsOf('approvers: [ana]', true)).toMatchObject({ channel: 'asserted', relaxed: [false] });
  expect(termsOf('approvals: 2, channel: authenticated', true)).toMatchObject({
    channel: 'authenticated',
    relaxed: [false],
  });
});

test.each([
  ['90s', 90_000],
  ['30m', 1_800_000],
  ['24h', 86_400_000],
  ['7d', 604_800_000],
])('R5.3 a request expires after what the rule says: %s', (expiresIn, ms) => {
  expect(termsOf(`expiresIn: ${expiresIn}`).expiresInMs).toBe(ms);
});

test('R5.3 a request of which the rule does not say so expires after a day', () => {
  expect(termsOf('approvals: 1').expiresInMs).toBe(86_400_000);
});

test('R5.5 principals are known by name', () => {
  const policy = createPolicy({ principals: people, tools: shopTools, singleUser: false });
  expect(policy.principal('ben')).toEqual({ name: 'ben', roles: ['finance', 'operator'] });
  expect(policy.principal('eve')).toBeUndefined();
  expect(policy.principal('__proto__')).toBeUndefined();
  expect(policy.hasPrincipals).toBe(true);
  expect(createPolicy({ principals: [], tools: shopTools, singleUser: true }).hasPrincipals).toBe(false);
});
