import { explain } from '../../src/policy/explain';
import { factsOf, policyOf, refund, rules } from './support/policy-of';

const policy = policyOf(
  rules(
    '{ id: small, when: tool == "create_refund" && args.amount <= 50, decision: allow }',
    '{ id: paths, when: args.path.startsWith("src/"), decision: allow }',
    '{ id: any-refund, when: tool == "create_refund", decision: require_approval, except: [send_mail] }',
    '{ id: no-leak, when: effect != "none" && tainted, decision: deny }',
  ),
);
const explained = (facts: ReturnType<typeof factsOf>) => {
  const { decision, why, rules: each } = explain(policy, facts);
  return {
    decides: decision.rule,
    why: why.replace(/[^\s(]*\/a\.yaml/, 'a.yaml'),
    outcomes: each.map(({ outcome }) => outcome),
  };
};

test('R5.1 a decision is explained by what every rule says of the call', () => {
  expect(explained(refund(40))).toEqual({
    decides: 'small',
    why: 'no deny matches, and "small" (a.yaml:2) is the first rule that does',
    outcomes: ['matched', 'missing', 'matched', 'not_matched'],
  });
  expect(explained({ ...refund(400), tainted: true })).toEqual({
    decides: 'no-leak',
    why: '"no-leak" (a.yaml:5) is the first deny that matches, and a deny wins wherever it stands',
    outcomes: ['not_matched', 'missing', 'matched', 'matched'],
  });
  expect(explained(factsOf({ tool: 'send_mail', args: { to: 'a', body: 'b' } }))).toEqual({
    decides: 'no-match',
    why: 'no rule matches, and a write then asks',
    outcomes: ['not_matched', 'missing', 'exempt', 'not_matched'],
  });
  expect(explained(factsOf({ tool: 'lookup_order', args: { orderId: '1' } })).why).toBe(
    'no rule matches, and a read is then allowed',
  );
});

test('R5.1 a rule that cannot be judged is named with its reason', () => {
  expect(explained(refund('forty'))).toMatchObject({
    decides: 'small',
    why: '"small" (a.yaml:2) cannot be judged on this call, which is a denial',
    outcomes: ['failed', 'missing', 'matched', 'not_matched'],
  });
});

test('R5.1 exactly one rule decides, and the sentences say what was asked', () => {
  const { rules: each, version } = explain(policy, refund(40));
  expect(version).toBe(policy.version);
  expect(each.filter(({ decides }) => decides).map(({ id }) => id)).toEqual(['small']);
  expect(each.map(({ why }) => why)).toEqual([
    'tool == "create_refund" && args.amount <= 50 is true',
    'the call does not have what it asks for: No such key: path',
    'tool == "create_refund" is true',
    'effect != "none" && tainted is false',
  ]);
});
