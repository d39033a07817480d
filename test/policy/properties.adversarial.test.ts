import fc from 'fast-check';
import { stringify } from 'yaml';
import type { PolicyFacts } from '../../src/domain/policy/policy';
import { factsOf, policyOf } from './support/policy-of';

const conditions = [
  'true',
  'tainted',
  'effect == "unsafe"',
  'tool == "create_refund" && args.amount <= 50',
  'args.path.startsWith("src/")',
  'args.lines.exists(line, line.count > 1)',
  '!(args.a.b == args.c)',
  'has(args.amount) || workspace',
  'args == args && size(args) > 3',
  'string(args.amount) in ["1", "2"]',
];

interface WrittenRule {
  readonly id: string;
  readonly when: string;
  readonly decision: 'allow' | 'require_approval' | 'deny';
}
const written = (decisions: readonly WrittenRule['decision'][]) =>
  fc
    .array(fc.record({ when: fc.constantFrom(...conditions), decision: fc.constantFrom(...decisions) }), {
      maxLength: 6,
    })
    .map((items) => items.map((item, index): WrittenRule => ({ id: `r${index}`, ...item })));

/** What a model may have written as arguments, and what no model would. */
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.dictionary(
    fc.constantFrom('amount', 'path', 'lines', '__proto__', 'constructor', 'a', 'toString', 'hasOwnProperty'),
    fc.oneof(fc.jsonValue(), fc.double(), fc.bigInt(), fc.constant(undefined), fc.date(), fc.func(fc.boolean())),
  ),
);
const policy = (rules: readonly object[]) => policyOf(stringify({ rules }));

test('R5.1 deciding never throws, whatever the arguments are', () => {
  const all = policy(conditions.map((when, index) => ({ id: `r${index}`, when, decision: 'allow' })));
  const denying = policy(conditions.slice(1).map((when, index) => ({ id: `r${index}`, when, decision: 'deny' })));
  fc.assert(
    fc.property(anything, fc.boolean(), (value, tainted) => {
      for (const one of [all, denying]) {
        const decision = one.decide(factsOf({ args: value as PolicyFacts['args'], tainted }));
        expect(['allow', 'require_approval', 'deny']).toContain(decision.kind);
      }
    }),
    { numRuns: 500 },
  );
});

describe('R5.1 arguments that are made to break a condition deny the call', () => {
  const compared = policy([{ id: 'same', when: 'args.left == args.right', decision: 'allow' }]);
  const nested = (depth: number) => {
    let value: object = {};
    for (let level = 0; level < depth; level += 1) value = { inner: value };
    return value;
  };

  test('nested deeper than a stack is', () => {
    const args = { left: nested(100_000), right: nested(100_000) };
    expect(compared.decide(factsOf({ args }))).toMatchObject({ rule: 'same', kind: 'deny' });
  });

  test('named as what every object has', () => {
    const proto = policy([{ id: 'big', when: 'args.amount > 5', decision: 'allow' }]);
    const args: Record<string, unknown> = JSON.parse('{"__proto__": {"amount": 40}}');
    expect(proto.decide(factsOf({ args })).rule).toBe('no-match');
    expect(proto.decide(factsOf({ args: JSON.parse('{"amount": 40, "constructor": 1}') }))).toMatchObject({
      kind: 'deny',
    });
  });

  test('and a million values are no trouble', () => {
    const args = { left: Array.from({ length: 1_000_000 }, (_, index) => index), right: 5 };
    expect(compared.decide(factsOf({ args })).rule).toBe('no-match');
  });
});

test('R5.1 a deny that matches wins wherever it stands', () => {
  const others = written(['allow', 'require_approval']);
  fc.assert(
    fc.property(others, fc.nat({ max: 6 }), fc.double({ noNaN: true }), (rules, at, amount) => {
      const denying: WrittenRule = { id: 'no', when: 'tool == "create_refund"', decision: 'deny' };
      const decision = policy(rules.toSpliced(at, 0, denying)).decide(factsOf({ args: { amount, path: 'a' } }));
      expect(decision.kind).toBe('deny');
    }),
    { numRuns: 100 },
  );
});

describe('R5.1 leaving arguments out', () => {
  const atoms = [
    'args.amount > 50',
    'args.express == true',
    'args.express != true',
    'args.reason == "a"',
    'args.lines.exists(line, line.count > 1)',
    'args.lines[0].sku == "a"',
    'args.path == "a"', // of no refund
    'args.express ? args.reason == "a" : args.reason != "a"',
    'tainted',
  ];
  const { condition } = fc.letrec<{ condition: string }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(...atoms),
      fc.tuple(tie('condition'), tie('condition')).map(([a, b]) => `(${a}) && (${b})`),
      fc.tuple(tie('condition'), tie('condition')).map(([a, b]) => `(${a}) || (${b})`),
      tie('condition').map((inner) => `!(${inner})`),
    ),
  }));
  const whole = fc.record({
    orderId: fc.constant('1042'),
    amount: fc.constantFrom(40, 60),
    express: fc.boolean(),
    reason: fc.constantFrom('a', 'b'),
    lines: fc.array(fc.record({ sku: fc.constantFrom('a', 'b'), count: fc.constantFrom(1, 2) }), { maxLength: 2 }),
  });
  const optional = fc.subarray(['express', 'reason', 'lines']);
  const denies = (when: string, args: object) =>
    policy([{ id: 'no', when, decision: 'deny' }]).decide(factsOf({ args: { ...args } })).kind === 'deny';
  const without = (args: object, names: readonly string[]) =>
    Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)));

  test('makes no call pass that a deny stops with them', () => {
    fc.assert(
      fc.property(condition, whole, optional, (when, args, left) => {
        if (denies(when, args)) expect(denies(when, without(args, left))).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  test('makes no call pass by a rule that allows, where that rule lets pass no call with them', () => {
    const allows = (when: string, args: object) =>
      policy([{ id: 'yes', when, decision: 'allow' }]).decide(factsOf({ args: { ...args } })).kind === 'allow';
    const cases = [true, false].flatMap((express) =>
      ['a', 'b'].map((reason) => ({ orderId: '1042', amount: 60, express, reason })),
    );
    const flat = condition.filter((when) => !when.includes('lines'));
    fc.assert(
      fc.property(flat, fc.subarray(['express', 'reason']), (when, left) => {
        if (!cases.some((args) => allows(when, args)))
          for (const args of cases) expect(allows(when, without(args, left))).toBe(false);
      }),
      { numRuns: 150 },
    );
  });
});

test('R5.1 the version is the same however the same rules are written', () => {
  const spaced = (when: string, spaces: string) => when.replaceAll(' ', spaces);
  fc.assert(
    fc.property(
      written(['allow', 'require_approval', 'deny']),
      fc.boolean(),
      fc.constantFrom(' ', '  ', '\n    '),
      fc.constantFrom(
        {},
        { collectionStyle: 'flow' as const },
        { defaultStringType: 'QUOTE_DOUBLE' as const },
        { indent: 6 },
      ),
      (rules, reversed, spaces, style) => {
        const same = rules.map((rule) => {
          const entries = Object.entries({ ...rule, when: spaced(rule.when, spaces) });
          return Object.fromEntries(reversed ? entries.reverse() : entries);
        });
        expect(policyOf(stringify({ rules: same }, style)).version).toBe(policy(rules).version);
      },
    ),
    { numRuns: 60 },
  );
});

test('R5.1 the version is another where any rule decides otherwise, or in another order', () => {
  fc.assert(
    fc.property(written(['allow', 'require_approval', 'deny']), (rules) => {
      const [first, second, ...rest] = rules;
      if (first === undefined || second === undefined) return;
      const { version } = policy(rules);
      const flipped = { ...first, decision: first.decision === 'deny' ? 'allow' : 'deny' };
      expect(policy([flipped, second, ...rest]).version).not.toBe(version);
      expect(policy([{ ...first, when: `${first.when} && tainted` }, second, ...rest]).version).not.toBe(version);
      expect(policy([second, first, ...rest]).version).not.toBe(version);
    }),
    { numRuns: 60 },
  );
});
