import type { LimitName, Limits } from '../domain/budget/account';
import { limitWritten, microUsdPerUsd, toUnits } from '../domain/budget/limit-table';
import type { TenantCost } from '../domain/budget/tenant-cost';
import type { BudgetText, ConfigText } from './schema';

/** A budget as people write it, in the whole units that accounts are kept in. Only what was written is there. */
export function limitsOf(budget: BudgetText): Partial<Limits> {
  const limits: Partial<Record<LimitName, number>> = {};
  for (const [written, value] of Object.entries(budget)) {
    const limit = limitWritten(written);
    if (limit !== undefined && value !== undefined) limits[limit] = toUnits(limit, value);
  }
  return limits;
}

/** The cost limits of the tenants that have one. */
export function tenantCostsOf(tenants: NonNullable<ConfigText['tenants']>): Readonly<Record<string, TenantCost>> {
  const costs = Object.entries(tenants).flatMap(([name, { maxCostUsd, per = 'month' }]): [string, TenantCost][] =>
    maxCostUsd === undefined ? [] : [[name, { maxCostMicroUsd: Math.round(maxCostUsd * microUsdPerUsd), per }]],
  );
  return Object.fromEntries(costs);
}
