import type { Limits } from '../domain/budget/account';
import type { TenantCost } from '../domain/budget/tenant-cost';
import type { BudgetText, ConfigText } from './schema';

const msPerSecond = 1000;
const microUsdPerUsd = 1_000_000;

/** A budget as people write it, in the whole units that accounts are kept in. Only what was written is there. */
export function limitsOf(budget: BudgetText): Partial<Limits> {
  const { maxRuntimeSeconds, maxCostUsd, ...counts } = budget;
  const limits: { -readonly [Name in keyof Limits]?: Limits[Name] } = {};
  for (const name of ['maxTurns', 'maxToolCalls', 'maxSameToolErrors', 'maxTokens', 'maxRepairs'] as const) {
    const value = counts[name];
    if (value !== undefined) limits[name] = value;
  }
  if (maxRuntimeSeconds !== undefined) limits.maxRuntimeMs = Math.round(maxRuntimeSeconds * msPerSecond);
  if (maxCostUsd !== undefined) limits.maxCostMicroUsd = Math.round(maxCostUsd * microUsdPerUsd);
  return limits;
}

/** The cost limits of the tenants that have one. */
export function tenantCostsOf(tenants: NonNullable<ConfigText['tenants']>): Readonly<Record<string, TenantCost>> {
  const costs = Object.entries(tenants).flatMap(([name, { maxCostUsd, per = 'month' }]): [string, TenantCost][] =>
    maxCostUsd === undefined ? [] : [[name, { maxCostMicroUsd: Math.round(maxCostUsd * microUsdPerUsd), per }]],
  );
  return Object.fromEntries(costs);
}
