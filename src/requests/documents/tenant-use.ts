import { periodStart, type TenantCost } from '../../domain/budget/tenant-cost';
import { tenantCostSoFar } from '../../ledger/tenant-cost';
import type { Session } from '../session';

/** What all attempts of the tenant may cost together, and do. */
export interface TenantUse extends TenantCost {
  readonly usedMicroUsd: number;
}

/** Null where the configuration sets no such limit. Rejects where the database cannot be reached. */
export async function tenantUse({ pool, config }: Session, tenant: string): Promise<TenantUse | null> {
  const cost = config.tenantCosts?.[tenant];
  if (cost === undefined) return null;
  const usedMicroUsd = await tenantCostSoFar(pool, tenant, periodStart(cost.per, Date.now()));
  return { ...cost, usedMicroUsd };
}
