import { checkPolicy } from '../../src/policy/check-policy';
import { people, policyFiles, problemsOf, rules } from './support/policy-of';
import { shopTools } from './support/shop-tools';

/** One problem, as `holdfast policy check` lists it. */
const only = (...texts: readonly string[]) => {
  const problems = problemsOf(...texts);
  expect(problems).toHaveLength(1);
  return problems[0];
};
const when = (condition: string) => rules(`id: it\n    when: ${condition}\n    decision: allow`);

describe('R5.1 a file that is not a policy', () => {
  test.each([
    ['no YAML', 'rules: [', 'error a.yaml:1:9 not YAML: Flow sequence'],
    ['an empty file', '', 'error a.yaml:1:1 the file is empty'],
    ['no rules', '{}', 'error a.yaml:1:1 rules: is missing'],
    ['another key', 'rules: []\nrule: []', 'error a.yaml:2:1 unknown key "rule" (known here: rules)'],
    [
      'an unknown field',
      rules('{ id: a, decision: allow, constraints: [] }'),
      'error a.yaml:2:31 rules[0]: unknown key "constraints" (known here: id, when, except, reason, decision)',
    ],
    [
      'a decision of another name',
      rules('{ id: a, decision: ask }'),
      'error a.yaml:2:24 rules[0].decision: decision is "ask"; it is one of allow, constrained_allow, require_approval, deny',
    ],
    ['no decision', rules('{ id: a }'), 'error a.yaml:2:5 rules[0].decision: decision is missing; it is one of allow,'],
    ['no id', rules('{ decision: allow }'), 'error a.yaml:2:5 rules[0].id: is missing'],
    ['a bad id', rules('{ id: A b, decision: allow }'), 'error a.yaml:2:11 rules[0].id: an id is a-z, 0-9'],
    [
      'a reserved id',
      rules('{ id: no-match, decision: allow }'),
      'error a.yaml:2:11 rules[0].id: "no-match" stands for no rule',
    ],
    [
      'a length of time without a unit',
      rules('{ id: a, decision: require_approval, expiresIn: 24 }'),
      'error a.yaml:2:53 rules[0].expiresIn: expected string, received number',
    ],
    [
      'a length of time in words',
      rules('{ id: a, decision: require_approval, expiresIn: a day }'),
      'error a.yaml:2:53 rules[0].expiresIn: expected a whole number with a unit, such as 90s, 30m, 24h or 7d',
    ],
    [
      'a longer time than an approval can mean anything',
      rules('{ id: a, decision: require_approval, expiresIn: 31d }'),
      'error a.yaml:2:53 rules[0].expiresIn: at most 30d',
    ],
    [
      'three approvals',
      rules('{ id: a, decision: require_approval, approvals: 3 }'),
      'error a.yaml:2:53 rules[0].approvals: expected 1 or 2',
    ],
    [
      'no approvers',
      rules('{ id: a, decision: require_approval, approvers: [] }'),
      'error a.yaml:2:53 rules[0].approvers: names nobody',
    ],
    [
      'two constraints in one',
      rules('{ id: a, decision: constrained_allow, constraints: [{ pathPrefix: src, timeLimit: 5s }] }'),
      'error a.yaml:2:57 rules[0].constraints[0]: expected exactly one of pathPrefix, hosts, maxAmount,',
    ],
    [
      'an escalation without anybody',
      rules('{ id: a, decision: deny, escalation: {} }'),
      'error a.yaml:2:42 rules[0].escalation.approvers: is missing',
    ],
    [
      'an exception that is no tool',
      rules('{ id: a, decision: deny, except: [raed_file] }'),
      'error a.yaml:2:39 rules[0].except[0]: no tool is named "raed_file"; there are ask_user, ',
    ],
  ])('%s is refused with its place', (_what, text, expected) => {
    expect(only(text)).toContain(expected);
  });

  test.each([
    ['none', '{}', []],
    ['one of another name', '{ maxBytes: 5 }', ['unknown key "maxBytes" (known here: pathPrefix, hosts,']],
  ])('a constraint that is %s is refused', (_what, written, more) => {
    const problems = problemsOf(rules(`{ id: a, decision: constrained_allow, constraints: [${written}] }`));
    const expected = ['a.yaml:2:57 rules[0].constraints[0]: expected exactly one of pathPrefix, hosts,', ...more];
    expect(problems).toEqual(expected.map((text) => expect.stringContaining(text)));
  });

  test('that is not there is named', () => {
    const missing = `${policyFiles(rules())[0]}.gone`;
    expect(checkPolicy([missing], shopTools, people)).toEqual([
      { severity: 'error', message: expect.stringContaining(`cannot read ${missing}: `) },
    ]);
  });

  test('two rules with one id are refused, and both places are named', () => {
    const one = rules('{ id: mail, when: tool == "send_mail", decision: allow }');
    expect(only(one, one)).toMatch(
      /^error b\.yaml:2:11 rules\[0\]\.id: another rule is called "mail" \(.*a\.yaml:2\)$/,
    );
  });

  test('every problem of every file is named, in order', () => {
    const problems = problemsOf(
      rules('{ id: a, when: tool = 5, decision: deny }', '{ id: b, when: nobody == 5, decision: deny }'),
      rules('{ id: c }'),
    );
    expect(problems.map((problem) => problem.split(' ').slice(0, 2).join(' '))).toEqual([
      'error a.yaml:2:25',
      'error a.yaml:3:20',
      'error b.yaml:2:5',
    ]);
  });
});

describe('R5.1 a condition that is wrong', () => {
  test.each([
    [
      'one equals sign',
      'tool = "send_mail"',
      '3:16 rules[0].when: Unexpected character: =; conditions are written in CEL: ==',
    ],
    ['a word for a sign', 'tainted and workspace', '3:19 rules[0].when: Unexpected character'],
    ['half of one', 'tainted &&', '3:21 rules[0].when: Unexpected token: EOF'],
    [
      'a text that YAML cuts',
      'target == "a #b" && tainted',
      '3:21 rules[0].when: Unterminated string; a text in it does not end',
    ],
    [
      'a fact that there is none of',
      'user == "ana"',
      '3:11 rules[0].when: Unknown variable: user; a condition may ask about tenant,',
    ],
    [
      'a field that there is none of',
      'spend.costUSD > 1',
      '3:17 rules[0].when: No such key: costUSD; spend has costUsd, toolCalls, turns',
    ],
    ['no question', 'target + "x"', '3:11 rules[0].when: a condition is true or false, and this one is of type string'],
    [
      'a misspelt tool',
      'tool == "create_refnud"',
      '3:19 rules[0].when: no tool is named "create_refnud"; there are ask_user',
    ],
    [
      'a misspelt tool in a list',
      'tool in ["send_mail", "sendmail"]',
      '3:33 rules[0].when: no tool is named "sendmail"',
    ],
    [
      'a misspelt effect',
      'effect == "unsave"',
      '3:21 rules[0].when: effect is never "unsave"; there are none, idempotent,',
    ],
    [
      'a misspelt kind',
      'contract.kind != "chat"',
      '3:28 rules[0].when: contract.kind is never "chat"; there are dialog,',
    ],
    [
      'a misspelt argument',
      'tool == "create_refund" && args.amout > 5.0',
      '3:43 rules[0].when: create_refund has no argument "amout"; it has orderId, amount, reason, express, lines',
    ],
    [
      'a misspelt argument that is only asked for',
      'tool == "create_refund" && has(args.amout)',
      '3:47 rules[0].when: create_refund has no argument "amout"',
    ],
    [
      'a misspelt field of a list',
      'tool == "create_refund" && args.lines.exists(line, line.skv == "a")',
      '3:38 rules[0].when: "args.lines.exists(line, line.skv == "a")": No such key: skv; for create_refund, args.lines is a list',
    ],
    [
      'an argument of only one of two tools',
      'tool in ["create_refund", "send_mail"] && args.amount > 5',
      '3:58 rules[0].when: send_mail has no argument "amount"; it has to, body',
    ],
    [
      'an argument of another type',
      'tool == "create_refund" && args.amount == "5"',
      '3:38 rules[0].when: "args.amount == "5"": no such overload: double == string; for create_refund, args.amount is a number',
    ],
    [
      'a method that the type has none of',
      'tool == "create_refund" && args.amount.startsWith("5")',
      "found no matching overload for 'double.startsWith(string)'; for create_refund, args.amount is a number",
    ],
    [
      'a number for a yes or no',
      'tool == "create_refund" && !args.amount',
      '"args.amount": neither true nor false, but of type double; for create_refund, args.amount is a number',
    ],
    [
      'a sign that YAML takes for a tag',
      '!(tainted) && workspace',
      '3:11 a value that begins with "!" is a tag to YAML; put it in quotes',
    ],
    ['a list', '[tainted]', '3:11 rules[0].when: expected a condition as text; put it in quotes where'],
    ['nothing', '" "', '3:11 rules[0].when: expected a condition as text'],
  ])('by %s is refused with its place', (_what, condition, expected) => {
    expect(only(when(condition))).toMatch(/^error a\.yaml:/);
    expect(only(when(condition))).toContain(expected);
  });

  test.each([
    [
      'each tool by its own arguments',
      '(tool == "create_refund" && args.amount > 5) || (tool == "send_mail" && args.to == "a")',
    ],
    [
      'a shared rest',
      '(tool == "create_refund" && args.amount > 5 || tool == "send_mail" && args.to == "a") && tainted',
    ],
    ['an argument of any tool', 'args.path.startsWith("src/") && effect != "none"'],
    ['an argument beside what may be about any tool', '(tool == "send_mail" || tainted) && args.amount > 5'],
    ['an argument behind what it is not', 'tool != "send_mail" && args.amount > 5'],
    ['whole and decimal numbers', '"tool == \\"create_refund\\" && args.amount in [1, 2] && args.amount * 2 >= 1.5"'],
  ])('is not one that speaks of %s', (_what, condition) => {
    expect(problemsOf(when(condition))).toEqual([]);
  });

  test('R5.1 has its place in quotes, too', () => {
    expect(only(when(`'tool == "create_refund" && args.amout > 5.0'`))).toMatch(/^error a\.yaml:3:44 /);
    // Where the file has the text in another form, the place is where it begins.
    expect(only(when(`|\n      tainted &&\n      nothing`))).toMatch(/^error a\.yaml:3:11 .*Unknown variable: nothing/);
  });
});
