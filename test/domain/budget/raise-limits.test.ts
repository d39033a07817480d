import { defaultLimits, emptyAccount } from '../../../src/domain/budget/account';
import { raiseLimits } from '../../../src/domain/budget/raise-limits';

test('R6.3 limits are raised by the names and in the units of a task file', () => {
  expect(raiseLimits(defaultLimits, emptyAccount, { maxCostUsd: 5, maxRuntimeSeconds: 900, maxTurns: 30 })).toEqual({
    ok: true,
    limits: { ...defaultLimits, maxCostMicroUsd: 5_000_000, maxRuntimeMs: 900_000 },
    raised: { maxCostMicroUsd: 5_000_000, maxRuntimeMs: 900_000 },
  });
});

test('R6.3 every limit has a name to raise it by', () => {
  const all = {
    maxTurns: 31,
    maxToolCalls: 51,
    maxSameToolErrors: 4,
    maxRuntimeSeconds: 601,
    maxTokens: 100_001,
    maxCostUsd: 2.5,
    maxRepairs: 4,
  };
  const raised = raiseLimits(defaultLimits, emptyAccount, all);
  expect(raised.ok && Object.keys(raised.raised).sort()).toEqual(Object.keys(defaultLimits).sort());
});

test.each([
  [{ maxTurns: 3 }, 'maxTurns is 30 now; a limit can only be raised.'],
  [{ maxCostUsd: 1.5 }, 'maxCostUsd is 2 now; a limit can only be raised.'],
  [{ maxMoney: 5 }, /There is no limit maxMoney; the limits are maxTurns, /],
  [{ constructor: 5 }, /There is no limit constructor/],
  [{ maxTokens: 'many' }, 'maxTokens must be a number from 0.'],
  [{ maxTokens: Number.NaN }, 'maxTokens must be a number from 0.'],
  [{ maxTokens: -1 }, 'maxTokens must be a number from 0.'],
  [{ maxCostUsd: 1e300 }, 'maxCostUsd is too large.'],
])('R6.3 %j raises nothing, and says why', (raise, why) => {
  const refused = raiseLimits(defaultLimits, emptyAccount, { maxToolCalls: 60, ...raise });
  expect(refused).toEqual({ ok: false, why: typeof why === 'string' ? why : expect.stringMatching(why) });
});

test('R6.3 a limit that was passed is raised to more than what is used, or not at all', () => {
  const account = { ...emptyAccount, costMicroUsd: 2_300_000, reservedCostMicroUsd: 100_000, runtimeMs: 700_000 };
  const raise = (budget: object) => raiseLimits(defaultLimits, account, { ...budget });
  expect(raise({ maxCostUsd: 2.2 })).toEqual({
    ok: false,
    why: 'maxCostUsd was passed: 2.4 is used already. Raise it to more than that.',
  });
  expect(raise({ maxCostUsd: 5, maxRuntimeSeconds: 650 })).toMatchObject({ ok: false });
  expect(raise({ maxCostUsd: 2.5, maxRuntimeSeconds: 701 })).toMatchObject({ ok: true });
});
