import { defaultLimits, emptyAccount } from '../../../src/domain/budget/account';
import { nearestLimit } from '../../../src/domain/budget/nearest-limit';
import { overTenantCost, periodStart } from '../../../src/domain/budget/tenant-cost';

test('R6.1 a period begins at midnight by UTC, of the day or of the first of the month', () => {
  const at = Date.parse('2026-03-31T23:59:59.999Z');
  expect(periodStart('day', at)).toEqual(new Date('2026-03-31T00:00:00Z'));
  expect(periodStart('month', at)).toEqual(new Date('2026-03-01T00:00:00Z'));
  expect(periodStart('total', at)).toBeUndefined();
  expect(periodStart('month', at + 1)).toEqual(new Date('2026-04-01T00:00:00Z'));
});

test('R6.1 a limit of n permits n and refuses the next; what costs nothing fits even where more is used than permitted', () => {
  const cost = { maxCostMicroUsd: 100, per: 'total' } as const;
  const ask = (costMicroUsd: number) => ({ tokens: 5, costMicroUsd });
  expect(overTenantCost(cost, 60, ask(40))).toBeUndefined();
  expect(overTenantCost(cost, 60, ask(41))).toEqual({
    limit: 'tenantMaxCostMicroUsd',
    used: 60,
    max: 100,
    ask: 41,
    per: 'total',
  });
  expect(overTenantCost(cost, 160, ask(1))).toMatchObject({ used: 160, max: 100, ask: 1 });
  expect(overTenantCost(cost, 160, ask(0))).toBeUndefined();
});

test('R6.1 the limit nearest to its end counts what calls under way hold', () => {
  expect(nearestLimit(emptyAccount, defaultLimits)).toBeUndefined();
  const account = { ...emptyAccount, toolCalls: 25, costMicroUsd: 1_000_000, reservedCostMicroUsd: 500_000 };
  expect(nearestLimit(account, defaultLimits)).toEqual({
    limit: 'maxCostMicroUsd',
    used: 1_500_000,
    max: 2_000_000,
    share: 0.75,
  });
  expect(nearestLimit({ ...account, repairs: 1 }, { ...defaultLimits, maxRepairs: 0 })?.limit).toBe('maxCostMicroUsd');
});
