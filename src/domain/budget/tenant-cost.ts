import { tenantLimit } from './limit-table';
import type { Amount } from './reserve';

/** What all attempts of a tenant may cost together, in millionths of a US dollar. */
export interface TenantCost {
  readonly maxCostMicroUsd: number;
  /** What the limit is for: each day or month, by UTC, or all time. */
  readonly per: (typeof costPeriods)[number];
}
export const costPeriods = ['day', 'month', 'total'] as const;

/** The period that `now` (ms since the epoch) lies in begins here; undefined: with the first call ever. */
export function periodStart(per: TenantCost['per'], now: number): Date | undefined {
  const at = new Date(now);
  switch (per) {
    case 'day':
      return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()));
    case 'month':
      return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1));
    case 'total':
      return undefined;
  }
}

export interface TenantRefused {
  readonly limit: typeof tenantLimit;
  readonly used: number;
  readonly max: number;
  readonly ask: number;
  readonly per: TenantCost['per'];
}

/**
 * Whether a call that may cost so much does not fit any more; `used`: billed and held in the period, without it. What costs
 * nothing always fits, as it does under an attempt's own limit.
 */
export function overTenantCost(
  { maxCostMicroUsd: max, per }: TenantCost,
  used: number,
  ask: Amount,
): TenantRefused | undefined {
  if (ask.costMicroUsd === 0 || used + ask.costMicroUsd <= max) return undefined;
  return { limit: tenantLimit, used, max, ask: ask.costMicroUsd, per };
}
