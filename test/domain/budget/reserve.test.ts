import fc from 'fast-check';
import { type Account, defaultLimits, emptyAccount, type Limits } from '../../../src/domain/budget/account';
import { leastLimit } from '../../../src/domain/budget/least-limit';
import {
  type Amount,
  type Charged,
  chargeRepair,
  chargeRuntime,
  chargeToolCall,
  chargeTurn,
  noteToolResult,
  reserve,
  settle,
} from '../../../src/domain/budget/reserve';

const limits: Limits = { ...defaultLimits, maxTokens: 1_000, maxCostMicroUsd: 500 };
const amount = fc.record({ tokens: fc.nat(400), costMicroUsd: fc.nat(200) });

function ok(charged: Charged): Account {
  if (!charged.ok) throw new Error(`refused by ${charged.limit}`);
  return charged.account;
}

test('R6.1 the defaults are the ones that are promised', () => {
  expect(defaultLimits).toEqual({
    maxTurns: 30,
    maxToolCalls: 50,
    maxSameToolErrors: 3,
    maxRuntimeMs: 600_000,
    maxTokens: 100_000,
    maxCostMicroUsd: 2_000_000,
    maxRepairs: 3,
  });
});

test('R6.2 a reservation is held, then replaced by what was billed', () => {
  const held = ok(reserve(emptyAccount, limits, { tokens: 300, costMicroUsd: 60 }));
  expect(held).toEqual({ ...emptyAccount, reservedTokens: 300, reservedCostMicroUsd: 60 });
  const settled = settle(held, { tokens: 300, costMicroUsd: 60 }, { tokens: 120, costMicroUsd: 24 });
  expect(settled).toEqual({ ...emptyAccount, tokens: 120, costMicroUsd: 24 });
});

test('R6.2 what is held counts: the limit is the sum of used and held, to the token', () => {
  const held = ok(reserve({ ...emptyAccount, tokens: 100 }, limits, { tokens: 600, costMicroUsd: 0 }));
  expect(reserve(held, limits, { tokens: 300, costMicroUsd: 0 }).ok).toBe(true);
  expect(reserve(held, limits, { tokens: 301, costMicroUsd: 0 })).toEqual({
    ok: false,
    limit: 'maxTokens',
    used: 700,
    max: 1_000,
    ask: 301,
  });
});

test('R6.2 money that does not fit is refused under its own name', () => {
  const account = { ...emptyAccount, costMicroUsd: 450, reservedCostMicroUsd: 40 };
  expect(reserve(account, limits, { tokens: 1, costMicroUsd: 11 })).toEqual({
    ok: false,
    limit: 'maxCostMicroUsd',
    used: 490,
    max: 500,
    ask: 11,
  });
});

test('R6.2 a try that was billed beyond its reservation stays in the account, also past the limit', () => {
  const held = ok(reserve(emptyAccount, limits, { tokens: 900, costMicroUsd: 1 }));
  const settled = settle(held, { tokens: 900, costMicroUsd: 1 }, { tokens: 1_500, costMicroUsd: 700 });
  expect(settled).toMatchObject({ tokens: 1_500, costMicroUsd: 700, reservedTokens: 0, reservedCostMicroUsd: 0 });
  expect(reserve(settled, limits, { tokens: 0, costMicroUsd: 0 }).ok).toBe(false);
});

test('R6.2 an amount that is negative, broken or no number is never booked, whichever side it stands on', () => {
  const broken = fc.oneof(
    fc.double({ noDefaultInfinity: false }).filter((number) => !Number.isSafeInteger(number) || number < 0),
    fc.integer({ max: -1 }),
    fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, 1e300, 0.5),
  );
  fc.assert(
    fc.property(broken, fc.nat(100), fc.boolean(), (wrong, right, inTokens) => {
      const bad = inTokens ? { tokens: wrong, costMicroUsd: right } : { tokens: right, costMicroUsd: wrong };
      const held = { ...emptyAccount, reservedTokens: 100, reservedCostMicroUsd: 100 };
      const good = { tokens: 1, costMicroUsd: 1 };
      expect(() => settle(held, good, bad)).toThrow(RangeError);
      expect(() => settle(held, bad, good)).toThrow(RangeError);
      expect(() => reserve(held, limits, bad)).toThrow(RangeError);
    }),
  );
});

test('R6.2 a reservation that is settled twice is a bug', () => {
  const held = ok(reserve(emptyAccount, limits, { tokens: 10, costMicroUsd: 10 }));
  const settled = settle(held, { tokens: 10, costMicroUsd: 10 }, { tokens: 1, costMicroUsd: 1 });
  expect(() => settle(settled, { tokens: 10, costMicroUsd: 10 }, { tokens: 1, costMicroUsd: 1 })).toThrow(RangeError);
});

/** Reserve, then answer with what was billed or get lost; `pick` chooses among the open ones. */
type Deed =
  | { kind: 'reserve'; ask: Amount }
  | { kind: 'settle'; pick: number; share: number }
  | { kind: 'lose'; pick: number };
const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({ kind: fc.constant('reserve' as const), ask: amount }),
  fc.record({ kind: fc.constant('settle' as const), pick: fc.nat(), share: fc.integer({ min: 0, max: 150 }) }),
  fc.record({ kind: fc.constant('lose' as const), pick: fc.nat() }),
);

test('R6.2 in any order of reserving, answering and losing, the account adds up', () => {
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 60 }), (deeds) => {
      let account: Account = emptyAccount;
      const open: Amount[] = [];
      const billed = { tokens: 0, costMicroUsd: 0 };
      for (const next of deeds) {
        if (next.kind === 'reserve') {
          const before = structuredClone(account);
          const charged = reserve(account, limits, next.ask);
          expect(account).toEqual(before); // never changed in place
          if (!charged.ok) continue; // and a refusal leaves nothing behind
          account = charged.account;
          open.push(next.ask);
          expect(account.tokens + account.reservedTokens).toBeLessThanOrEqual(limits.maxTokens);
          expect(account.costMicroUsd + account.reservedCostMicroUsd).toBeLessThanOrEqual(limits.maxCostMicroUsd);
        } else if (open.length > 0) {
          const [held] = open.splice(next.pick % open.length, 1);
          if (!held) continue;
          const share = next.kind === 'lose' ? 100 : next.share;
          const actual = {
            tokens: Math.floor((held.tokens * share) / 100),
            costMicroUsd: Math.floor((held.costMicroUsd * share) / 100),
          };
          account = settle(account, held, actual);
          billed.tokens += actual.tokens;
          billed.costMicroUsd += actual.costMicroUsd;
        }
        const heldNow = open.reduce((sum, one) => sum + one.tokens, 0);
        const heldMoney = open.reduce((sum, one) => sum + one.costMicroUsd, 0);
        expect(account).toMatchObject({ ...billed, reservedTokens: heldNow, reservedCostMicroUsd: heldMoney });
      }
    }),
    { numRuns: 300 },
  );
});

test('R6.1 a limit of n turns permits n, and refuses the next without counting it', () => {
  let account: Account = emptyAccount;
  for (let turn = 0; turn < 30; turn += 1) account = ok(chargeTurn(account, defaultLimits));
  expect(account.turns).toBe(30);
  expect(chargeTurn(account, defaultLimits)).toEqual({ ok: false, limit: 'maxTurns', used: 30, max: 30, ask: 1 });
});

test('R6.1 a limit of n tool calls permits n', () => {
  let account: Account = emptyAccount;
  for (let call = 0; call < 50; call += 1) account = ok(chargeToolCall(account, defaultLimits, 'read_file'));
  expect(account.toolCalls).toBe(50);
  expect(chargeToolCall(account, defaultLimits, 'read_file')).toMatchObject({ ok: false, limit: 'maxToolCalls' });
});

test('R6.1 a limit of n repairs permits n', () => {
  let account: Account = emptyAccount;
  for (let repair = 0; repair < 3; repair += 1) account = ok(chargeRepair(account, defaultLimits));
  expect(chargeRepair(account, defaultLimits)).toEqual({ ok: false, limit: 'maxRepairs', used: 3, max: 3, ask: 1 });
});

test('R3.4 all attempts of a task have three times the repairs of one together, and the least that lets one go on is told', () => {
  const account = { ...emptyAccount, repairs: 1 };
  expect(chargeRepair(account, defaultLimits, 7)).toMatchObject({ ok: true, account: { repairs: 2 } });
  const refused = chargeRepair(account, defaultLimits, 8);
  expect(refused).toEqual({ ok: false, limit: 'maxRepairs', used: 9, max: 9, ask: 1, times: 3 });
  if (refused.ok) return;
  expect(leastLimit(refused)).toBe(4);
  expect(chargeRepair(account, { ...defaultLimits, maxRepairs: 4 }, 8).ok).toBe(true);
});

test('R6.1 after three errors of one tool in a row a fourth call of it is refused, and no other', () => {
  let account: Account = emptyAccount;
  for (let error = 0; error < 3; error += 1) {
    account = noteToolResult(ok(chargeToolCall(account, defaultLimits, 'apply_patch')), 'apply_patch', false);
  }
  expect(chargeToolCall(account, defaultLimits, 'apply_patch')).toEqual({
    ok: false,
    limit: 'maxSameToolErrors',
    used: 3,
    max: 3,
    ask: 1,
  });
  expect(chargeToolCall(account, defaultLimits, 'read_file').ok).toBe(true);
});

test('R6.1 a success of the tool forgives its errors, the success of another does not', () => {
  let account = noteToolResult(noteToolResult(emptyAccount, 'a', false), 'a', false);
  account = noteToolResult(account, 'b', true);
  expect(account.toolErrors).toEqual({ a: 2 });
  account = noteToolResult(account, 'a', true);
  expect(account.toolErrors).toEqual({});
});

test('R6.1 a tool that a model names after a property of every object counts like any other', () => {
  for (const tool of ['__proto__', 'constructor', 'toString']) {
    let account: Account = emptyAccount;
    for (let error = 0; error < 3; error += 1) account = noteToolResult(account, tool, false);
    expect(chargeToolCall(account, defaultLimits, tool)).toMatchObject({ limit: 'maxSameToolErrors', used: 3 });
  }
});

test('R6.1 run time is the most that was seen, and is refused past its limit', () => {
  const account = ok(chargeRuntime(emptyAccount, defaultLimits, 5_000));
  expect(ok(chargeRuntime(account, defaultLimits, 4_000)).runtimeMs).toBe(5_000);
  expect(ok(chargeRuntime(account, defaultLimits, 600_000)).runtimeMs).toBe(600_000);
  expect(chargeRuntime(account, defaultLimits, 600_001)).toEqual({
    ok: false,
    limit: 'maxRuntimeMs',
    used: 600_001,
    max: 600_000,
    ask: 1_000,
  });
});

test('R6.3 a raised limit lets the same account go on', () => {
  const account = { ...emptyAccount, turns: 30 };
  expect(chargeTurn(account, defaultLimits).ok).toBe(false);
  expect(chargeTurn(account, { ...defaultLimits, maxTurns: 31 }).ok).toBe(true);
});
