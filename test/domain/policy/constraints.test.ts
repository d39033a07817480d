import { checkConstraint, type Enforcers } from '../../../src/domain/policy/constraints';
import type { Constraint } from '../../../src/domain/policy/policy';

const check = (
  constraint: Constraint,
  args: Record<string, unknown> = {},
  enforcers: Enforcers = {},
  callsInHour = 0,
) => checkConstraint(constraint, { enforcers, args, callsInHour });
const touching = (...paths: readonly string[]): Enforcers => ({ paths: () => paths, hosts: () => paths });
const ok = { kind: 'ok' };

describe('R5.2 a path prefix', () => {
  const within = (prefix: string, ...paths: readonly string[]) =>
    check({ kind: 'pathPrefix', prefix }, {}, touching(...paths)).kind;

  test.each([
    ['src/', 'src/a.ts'],
    ['src', 'src/deep/a.ts'],
    ['src', 'src'],
    ['src', './src//a.ts'],
    ['src/lib', 'src/other/../lib/a.ts'],
    ['.', 'anywhere'],
  ])('%s holds %s', (prefix, path) => {
    expect(within(prefix, path)).toBe('ok');
  });

  test.each([
    ['src', 'srcs/a.ts'],
    ['src', 'test/a.ts'],
    ['src', 'src/../secrets'],
    ['src', '/src/a.ts'],
    ['.', '../outside'],
    ['src', 'src/../../src/a.ts'],
    ['../elsewhere', '../elsewhere/a.ts'],
    ['src', ''],
  ])('%s does not hold %s', (prefix, path) => {
    expect(within(prefix, path)).toBe('violated');
  });

  test('holds a call where it holds every path of it, and names the one that it does not', () => {
    expect(within('src', 'src/a', 'src/b')).toBe('ok');
    expect(check({ kind: 'pathPrefix', prefix: 'src' }, {}, touching('src/a', 'etc/passwd'))).toEqual({
      kind: 'violated',
      why: '"etc/passwd" is not within src.',
    });
  });
});

describe('R5.2 a list of hosts', () => {
  const allowed = (host: string) =>
    check({ kind: 'hosts', hosts: ['shop.example', '*.API.example'] }, {}, touching(host)).kind;

  test.each(['shop.example', 'SHOP.example.', 'eu.api.example', 'a.b.api.example'])('holds %s', (host) => {
    expect(allowed(host)).toBe('ok');
  });
  test.each(['api.example', 'evilapi.example', 'shop.example.evil', 'eu.shop.example', ''])(
    'does not hold %s',
    (host) => {
      expect(allowed(host)).toBe('violated');
    },
  );
});

describe('R5.2 a maximum amount', () => {
  const amount = (args: Record<string, unknown>) => check({ kind: 'maxAmount', argument: 'amount', max: 50 }, args);

  test('holds a number up to it', () => {
    expect(amount({ amount: 50 })).toEqual(ok);
    expect(amount({ amount: -1 })).toEqual(ok);
    expect(amount({ amount: 50.01 })).toEqual({
      kind: 'violated',
      why: '"amount" is 50.01, and at most 50 is allowed.',
    });
  });

  test.each([
    ['a text', { amount: '40' }],
    ['not a number', { amount: Number.NaN }],
    ['without end', { amount: Number.NEGATIVE_INFINITY }],
    ['a list', { amount: [40] }],
    ['nothing', {}],
    ['inherited', Object.create({ amount: 40 })],
  ])('does not hold one that is %s', (_what, args) => {
    expect(amount(args)).toEqual({ kind: 'violated', why: '"amount" must be a number of at most 50.' });
  });
});

test('R5.2 calls of an hour are counted without the one that asks', () => {
  expect(check({ kind: 'callsPerHour', max: 2 }, {}, {}, 1)).toEqual(ok);
  expect(check({ kind: 'callsPerHour', max: 2 }, {}, {}, 2)).toEqual({
    kind: 'violated',
    why: 'It was called 2 times within the hour, and 2 are allowed.',
  });
});

test("R5.2 a time limit is the runtime's own, for any tool", () => {
  expect(check({ kind: 'timeLimit', ms: 5_000 })).toEqual(ok);
});

test('R5.2 a read-only role is kept by tools that have one', () => {
  expect(check({ kind: 'readOnlyRole' }, {}, { readOnlyRole: true })).toEqual(ok);
});

describe('R5.2 a constraint whose enforcer the tool lacks is unavailable, not ignored', () => {
  test.each<Constraint>([
    { kind: 'pathPrefix', prefix: 'src' },
    { kind: 'hosts', hosts: ['a.example'] },
    { kind: 'readOnlyRole' },
  ])('$kind', (constraint) => {
    expect(check(constraint).kind).toBe('unavailable');
  });

  test('and so is one whose enforcer fails on the call', () => {
    const failing: Enforcers = {
      paths: () => {
        throw new TypeError('no patch');
      },
    };
    expect(check({ kind: 'pathPrefix', prefix: 'src' }, {}, failing)).toEqual({
      kind: 'unavailable',
      why: 'The tool could not say which paths this call touches.',
    });
  });
});
