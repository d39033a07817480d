import { checkPolicy } from '../../src/policy/check-policy';
import { policyFiles, policyOf, problemsOf, rules } from './support/policy-of';
import { shopTools } from './support/shop-tools';

const deny = (id: string, when: string) => `{ id: ${id}, when: '${when}', decision: deny }`;
const allow = (id: string, when: string) => `{ id: ${id}, when: '${when}', decision: allow }`;

describe('R5.1 a rule that can never match is warned of', () => {
  test.each([
    [
      'a tool and another effect',
      'tool == "create_refund" && effect == "none"',
      'create_refund has the effect deduplicated',
    ],
    [
      'a tool and the workspace',
      'tool == "write_file" && !workspace',
      'write_file has the effect idempotent in the workspace',
    ],
    ['two tools at once', 'tool == "create_refund" && tool == "send_mail"', 'its condition is false for every tool'],
    ['a condition that is false', '1 > 2 && tainted', 'its condition is false for every tool'],
    ['a tool of the runtime itself', 'tool == "finish"', 'finish is never put before policy'],
    ['an effect of no tool', 'effect == "probed"', 'its condition is false for every tool'],
  ])('%s', (_what, when, why) => {
    expect(problemsOf(rules(deny('it', when)))).toEqual([
      `warning a.yaml:2:21 rules[0].when: the rule can never match: ${why}`,
    ]);
  });

  test('a tool that it excepts', () => {
    const excepting = `{ id: it, when: tool == "send_mail", decision: deny, except: [send_mail] }`;
    expect(problemsOf(rules(excepting))).toEqual([expect.stringContaining('send_mail is exempt from it')]);
  });
});

describe('R5.1 a rule before which others decide is warned of', () => {
  const shadowed = (id: string, by: string) =>
    `${id}: the rule never decides: every call that it could match is decided by ${by} before`;
  const warned = (...items: readonly string[]) =>
    problemsOf(rules(...items)).map((problem) => problem.replace(/^warning a\.yaml:\d+:11 /, ''));

  test.each([
    [
      'after a rule for every call',
      [`{ id: all, decision: allow }`, allow('late', 'tainted')],
      ['rules[1].id', '"all"'],
    ],
    [
      'after a condition that is always true',
      [allow('all', '1 < 2 || tainted'), allow('late', 'tainted')],
      ['rules[1].id', '"all"'],
    ],
    [
      'after its tool',
      [allow('mail', 'tool == "send_mail"'), allow('late', 'tool == "send_mail" && tainted')],
      ['rules[1].id', '"mail"'],
    ],
    [
      'after two that share its tools',
      [
        allow('a', 'effect == "unsafe"'),
        allow('b', 'tool == "create_refund"'),
        allow('late', 'tool in ["send_mail", "create_refund"] && tainted'),
      ],
      ['rules[2].id', '"b" and "a"'],
    ],
    [
      'before a deny for every call',
      [allow('early', 'tainted'), `{ id: none, decision: deny }`],
      ['rules[0].id', '"none"'],
    ],
  ])('%s', (_what, items, [place, by]) => {
    expect(warned(...items)).toEqual([shadowed(place ?? '', by ?? '')]);
  });

  test.each([
    ['a deny after a rule for every call', [`{ id: all, decision: allow }`, deny('no', 'tainted')]],
    [
      'a rule after one that excepts a tool of it',
      [`{ id: all, decision: allow, except: [send_mail] }`, allow('mail', 'tainted')],
    ],
    ['a rule after one that depends on the call', [allow('some', 'tainted'), allow('mail', 'tool == "send_mail"')]],
  ])('and %s is not', (_what, items) => {
    expect(warned(...items)).toEqual([]);
  });
});

describe('R5.5 an approval that nobody can give is warned of', () => {
  const ask = (more: string) => rules(`{ id: it, decision: require_approval, ${more} }`);

  test.each([
    ['no principal', 'approvers: [eve]', 'rules[0].approvers: no principal is named "eve"; there are ana, ben'],
    ['a role of nobody', 'approvers: ["role:legal"]', 'rules[0].approvers: no principal has the role "legal"'],
    [
      'fewer than are asked',
      'approvers: [ana], approvals: 2',
      'rules[0].approvals: 2 people must say yes, and only ana may',
    ],
    ['fewer by a role', 'approvers: ["role:operator"], approvals: 2', 'and only ben may'],
  ])('%s', (_what, more, expected) => {
    expect(problemsOf(ask(more))).toEqual([expect.stringContaining(expected)]);
  });

  test('on the path of an escalation too', () => {
    const text = rules('{ id: it, decision: deny, escalation: { approvers: [eve] } }');
    expect(problemsOf(text)).toEqual([
      expect.stringContaining('rules[0].escalation.approvers: no principal is named "eve"'),
    ]);
  });

  test('and one that enough people can give is not', () => {
    expect(problemsOf(ask('approvers: ["role:finance"], approvals: 2'))).toEqual([]);
    expect(problemsOf(ask('approvals: 2'))).toEqual([]);
  });

  test('where nobody is configured, names are taken as they come and roles are nobody', () => {
    const check = (more: string) => checkPolicy(policyFiles(ask(more)), shopTools, []).map(({ message }) => message);
    expect(check('approvers: [eve]')).toEqual([]);
    expect(check('approvers: [eve], approvals: 2')).toEqual([
      'rules[0].approvals: 2 people must say yes, and only eve may',
    ]);
    expect(check('approvers: ["role:finance"]')).toEqual(['rules[0].approvers: no principal has the role "finance"']);
  });
});

test.each([
  ['pathPrefix: src', 'send_mail: no paths are known of its calls'],
  ['readOnlyRole: true', 'send_mail: it has no read-only role'],
  ['maxAmount: { argument: amount, max: 5 }', 'send_mail: it has no argument "amount"'],
])('R5.2 a constraint that nobody can hold a tool to is warned of: %s', (constraint, why) => {
  const text = rules(
    `{ id: it, when: tool == "send_mail", decision: constrained_allow, constraints: [{ ${constraint} }] }`,
  );
  expect(problemsOf(text)).toEqual([
    expect.stringContaining(`rules[0].constraints[0]: ${why}, so each call is denied`),
  ]);
});

test('R5.2 a constraint that can be enforced is not warned of', () => {
  const constraints = '[{ hosts: [example.com] }, { timeLimit: 5s }, { callsPerHour: 2 }]';
  const text = rules(`{ id: it, when: tool == "send_mail", decision: constrained_allow, constraints: ${constraints} }`);
  expect(problemsOf(text)).toEqual([]);
});

test('R5.1 a condition that an argument may be absent from is warned of, and one that asks for it is not', () => {
  const about = (when: string) => problemsOf(rules(allow('it', `tool == "create_refund" && ${when}`)));
  expect(about('args.express')).toEqual([
    expect.stringContaining(
      'create_refund may be called without args.express, and the rule then does not match; say what holds then with has(args.express)',
    ),
  ]);
  expect(about('has(args.express) && args.express')).toEqual([]);
  expect(about('args.amount > 5')).toEqual([]);
});

test('R5.1 every tool that a rule reaches is looked at, named in its condition or not', () => {
  const denies = 'create_refund may be called without args.express, and the rule then denies the call';
  const said = (when: string, more = '') => problemsOf(rules(`{ id: it, when: '${when}', decision: deny${more} }`));
  for (const when of [
    'args.express',
    '!(args.express == false)',
    'args.amount > 100 || args.express == true',
    'effect == "deduplicated" && args.express != false',
  ])
    expect(said(when)).toEqual([expect.stringContaining(denies)]);

  expect(said('args.express', ', except: [create_refund]')).toEqual([]);
  expect(said('effect == "unsafe" && args.express')).toEqual([]);
  expect(said('has(args.express) && args.express')).toEqual([]);
  expect(said('args.amount > 100 && args.to == "x"')).toEqual([]); // each needed wherever it exists
});

test('R5.1 warnings are kept with a policy that holds all the same', () => {
  const policy = policyOf(rules(deny('never', 'effect == "probed"')));
  expect(policy.warnings).toEqual([expect.objectContaining({ severity: 'warning' })]);
  expect(policy.rules.map(({ id }) => id)).toEqual(['never']);
});
