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

test('R5.1 a rule that allows or asks does not match a call that leaves out what it asks for', () => {
  const policy = policyOf(
    rules(
      '{ id: express, when: args.express == false, decision: allow }',
      `{ id: third-line, when: 'args.lines[2].sku == "c"', decision: require_approval }`,
      '{ id: given, when: args.amount > 5, decision: allow }',
    ),
  );
  expect(policy.decide(refund(40)).rule).toBe('given');
  expect(policy.decide(factsOf({ args: { lines: [] } })).rule).toBe('no-match');
});

describe('R5.1 a deny is not escaped by leaving out what it asks for', () => {
  const allowed = `{ id: all, when: 'tool == "create_refund"', decision: allow }`;
  const decided = (when: string, args: object, tool = 'create_refund') =>
    policyOf(rules(`{ id: no, when: '${when}', decision: deny }`, allowed)).decide(
      factsOf({ tool, args: { ...args } }),
    );
  const refunded = { orderId: '1042', amount: 40 };

  test.each([
    'args.reason != "goodwill"',
    '!(args.reason == "goodwill")',
    'tool == "create_refund" && args.express != false',
    'args.amount > 100 || args.express == true',
    'args.express == true || args.amount > 100',
    '!(args.express == false) && args.amount > 5',
    '!(args.path == "a" && args.express == true)',
    'args.path == "a" || args.express == true',
    'args.lines[0].sku == "c"',
    'args.lines.exists(line, line.count > 5)',
    'args.express ? false : true',
    'args["express"] == true',
  ])('%s', (when) => {
    expect(decided(when, refunded)).toEqual({
      rule: 'no',
      kind: 'deny',
      reason: expect.stringMatching(/cannot be judged on this call: the call leaves out what it asks for: No such key/),
    });
  });

  test('in an item of a list, and by a list that is too short', () => {
    expect(decided('args.lines.exists(line, line.count > 5)', { ...refunded, lines: [{ sku: 'a' }] }).kind).toBe(
      'deny',
    );
    expect(decided('args.lines[1].sku == "c"', { ...refunded, lines: [{ sku: 'a' }] }).kind).toBe('deny');
  });

  test.each([
    ['the rest of the condition decides', 'args.express == true && args.amount > 100'],
    ['it is asked for', 'has(args.express) && args.express == true'],
    ['no call of the tool has it', 'args.path.startsWith("secrets/")'],
    ['no call of the tool has it, and that is negated', '!(args.path.startsWith("src/"))'],
    ['no call of the tool has it, and the rest is false', 'args.path == "a" || args.amount > 100'],
    ['it could change nothing', 'args.path == "a" && args.express == true'],
  ])('and the rule does not speak of a call where %s', (_what, when) => {
    expect(decided(when, refunded)).toEqual({ rule: 'all', kind: 'allow' });
  });

  test('a tool that policy does not know may have had anything', () => {
    expect(decided('args.path == "a"', {}, 'unheard_of').rule).toBe('no');
  });
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
