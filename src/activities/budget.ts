import { leastLimit } from '../domain/budget/least-limit';
import type { Charged, Refused } from '../domain/budget/reserve';
import { chargeRuntime, reserve, settle } from '../domain/budget/reserve';
import { overTenantCost, periodStart, type TenantRefused } from '../domain/budget/tenant-cost';
import type { Call, Exceeded } from '../protocol/calls';
import type { ActivityDeps } from './deps';
import type { AttemptTx } from './ledger-port';
import type { Usage } from './ports';

/** Books a charge, or says which limit refused it and records that. */
export function charge(tx: AttemptTx, charged: Charged): Exceeded | undefined {
  if (charged.ok) {
    tx.update({ account: charged.account });
    return undefined;
  }
  const { ok: _no, ...refused } = charged;
  return exceeded(tx, refused);
}

/** R6.3: what is refused is recorded, and the workflow suspends. */
function exceeded(tx: AttemptTx, refused: Omit<Refused, 'ok'> | TenantRefused): Exceeded {
  tx.emit({ type: 'budget_exceeded', payload: refused });
  return { kind: 'over_budget', limit: refused.limit, least: leastLimit(refused) };
}

/**
 * Holds what a model call may use, or says which limit refuses it (R6.2): one of the attempt's, or the cost of its tenant,
 * which is looked at last, for other attempts of the tenant wait for that look until this transaction ends.
 */
export async function reserveUsage(
  { tenantCosts }: Pick<ActivityDeps, 'tenantCosts'>,
  tx: AttemptTx,
  { now }: Pick<Call, 'now'>,
  estimate: Usage,
): Promise<Exceeded | undefined> {
  const ask = amountOf(estimate);
  const reserved = reserve(tx.attempt.account, tx.attempt.limits, ask);
  const cost = tenantCosts?.[tx.attempt.ref.tenant];
  if (!reserved.ok || cost === undefined) return charge(tx, reserved);
  const over = overTenantCost(cost, await tx.tenantCost(periodStart(cost.per, now)), ask);
  return over ? exceeded(tx, over) : charge(tx, reserved);
}

/** Run time so far, judged by the workflow's clock (M3). */
export function chargeActiveTime(tx: AttemptTx, activeMs: number): Exceeded | undefined {
  return charge(tx, chargeRuntime(tx.attempt.account, tx.attempt.limits, activeMs));
}

export const amountOf = (usage: Usage) => ({
  tokens: usage.inputTokens + usage.outputTokens,
  costMicroUsd: usage.costMicroUsd,
});

/** R6.2: gives back a reservation and books what was used. */
export function settleUsage(tx: AttemptTx, reserved: Usage, used: Usage): void {
  tx.update({ account: settle(tx.attempt.account, amountOf(reserved), amountOf(used)) });
}
