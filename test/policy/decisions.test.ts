import { factsOf, policyOf, refund, rules } from './support/policy-of';

const interfaceExample = rules(
  '{ id: small-refunds, when: tool == "create_refund" && args.amount <= 50.0, decision: allow }',
  '{ id: large-refunds, when: tool == "create_refund", decision: require_approval, approvers: ["role:finance"], approvals: 2, expiresIn: 24h }',
  '{ id: source-only, when: tool == "write_file", decision: constrained_allow, constraints: [{ pathPrefix: src/ }] }',
  '{ id: no-leak, when: effect != "none" && tainted, decision: deny, reason: "untrusted content was read" }',
);

test('R5.1 the first rule that matches decides, and says with which rule', () => {
  const policy = policyOf(interfaceExample);
  expect(policy.decide(refund(50))).toEqual({ rule: 'small-refunds', kind: 'allow' });
  expect(policy.decide(refund(50.01))).toEqual({
    rule: 'large-refunds',
    kind: 'require_approval',
    terms: { approvers: ['role:finance'], approvals: 2, expiresInMs: 24 * 3_600_000, channel: 'authenticated' },
  });
  expect(policy.decide(factsOf({ tool: 'write_file', args: { path: 'src/a.ts', content: '' } }))).toEqual({
    rule: 'source-only',
    kind: 'constrained_allow',
    constraints: [{ kind: 'pathPrefix', prefix: 'src/' }],
  });
});

test('R5.1 a deny wins wherever it stands, in any file', () => {
  const policy = policyOf(interfaceExample);
  const tainted = { ...refund(5), tainted: true };
  expect(policy.decide(tainted)).toEqual({ rule: 'no-leak', kind: 'deny', reason: 'untrusted content was read' });

  const [first, second] = [rules('{ id: yes, decision: allow }'), rules('{ id: no, when: tainted, decision: deny }')];
  expect(policyOf(first, second).decide(tainted)).toMatchObject({ rule: 'no', kind: 'deny' });
});

test('R5.1 where no rule matches, reads are allowed and writes ask', () => {
  const policy = policyOf(rules());
  expect(policy.decide(factsOf({ tool: 'lookup_order' }))).toEqual({ rule: 'no-match', kind: 'allow' });
  expect(policy.decide(refund(1))).toMatchObject({
    rule: 'no-match',
    kind: 'require_approval',
    terms: { approvers: [], approvals: 1, channel: 'asserted' },
  });
});

test('R5.1 a rule does not speak of the tools that it excepts', () => {
  const policy = policyOf(rules('{ id: no-writes, when: effect != "none", decision: deny, except: [create_refund] }'));
  expect(policy.decide(refund(1)).rule).toBe('no-match');
  expect(policy.decide(factsOf({ tool: 'send_mail', args: {} })).rule).toBe('no-writes');
});

test('R5.2 a denial names the people before whom the same thing may be put', () => {
  const policy = policyOf(
    rules(
      '{ id: no-mail, when: tool == "send_mail", decision: deny, escalation: { approvers: [ben], expiresIn: 30m } }',
    ),
  );
  expect(policy.decide(factsOf({ tool: 'send_mail', args: {} }))).toEqual({
    rule: 'no-mail',
    kind: 'deny',
    reason: 'the rule "no-mail" denies it',
    escalation: { approvers: ['ben'], approvals: 1, expiresInMs: 1_800_000, channel: 'asserted' },
  });
});

test('R5.2 every built-in constraint is read', () => {
  const policy = policyOf(
    rules(
      '{ id: held, when: tool == "create_refund", decision: constrained_allow, constraints: [{ hosts: [b.com, a.com] }, { maxAmount: { argument: amount, max: 50 } }, { readOnlyRole: true }, { timeLimit: 90s }, { callsPerHour: 3 }] }',
    ),
  );
  expect(policy.decide(refund(1))).toMatchObject({
    constraints: [
      { kind: 'hosts', hosts: ['a.com', 'b.com'] },
      { kind: 'maxAmount', argument: 'amount', max: 50 },
      { kind: 'readOnlyRole' },
      { kind: 'timeLimit', ms: 90_000 },
      { kind: 'callsPerHour', max: 3 },
    ],
  });
});

test.each([
  ['tenant == "default" && principal == "cat"', true],
  ['target.startsWith("order:")', true],
  ['workspace', false],
  ['contract.kind == "business_action" && contract.task == "refund-1042" && contract.version == 1', true],
  ['spend.costUsd > 0.4 && spend.toolCalls < 4 && spend.turns == 1', true],
  ['effect in ["deduplicated", "unsafe"]', true],
  ['args.amount == 40', true],
  ['args.amount * 2 + 1 == 81', true],
  ['args.amount in [10, 40]', true],
  ['args.lines.exists(line, line.count > 1)', true],
  ['size(args.lines) == 2 && args.lines[1].sku == "b"', true],
  ['!has(args.reason) || args.reason != ""', true],
  ['args.orderId.matches("^[0-9]+$") ? args.amount < 41 : false', true],
])('R5.1 a condition asks about every fact: %s', (when, matches) => {
  const policy = policyOf(rules(`{ id: asked, when: '${when}', decision: allow }`));
  const args = {
    orderId: '1042',
    amount: 40,
    lines: [
      { sku: 'a', count: 2 },
      { sku: 'b', count: 1 },
    ],
  };
  expect(policy.decide(factsOf({ args })).rule).toBe(matches ? 'asked' : 'no-match');
});

test('R5.1 what a call does not have makes a condition false', () => {
  const policy = policyOf(
    rules(
      '{ id: secrets, when: args.path.startsWith("secrets/"), decision: deny }',
      `{ id: third-line, when: 'args.lines[2].sku == "c"', decision: deny }`,
      '{ id: given, when: args.amount > 5, decision: allow }',
    ),
  );
  expect(policy.decide(refund(40)).rule).toBe('given');
  expect(policy.decide(factsOf({ args: { lines: [] } })).rule).toBe('no-match');
});

test('R5.1 a rule that cannot be judged on a call denies it, whatever it would have decided', () => {
  const policy = policyOf(rules('{ id: small, when: args.amount <= 50, decision: allow }'));
  expect(policy.decide(refund('forty'))).toEqual({
    rule: 'small',
    kind: 'deny',
    reason: 'the rule cannot be judged on this call: no such overload: dyn<string> <= int',
  });
  expect(policy.decide(refund(null)).kind).toBe('deny');
});

test('R5.1 a rule that could not decide any more is not asked', () => {
  const broken = '{ id: small, when: args.amount <= 50, decision: allow }';
  const policy = policyOf(rules('{ id: mail, when: tool == "create_refund", decision: allow }', broken));
  expect(policy.decide(refund('forty')).rule).toBe('mail');
});
