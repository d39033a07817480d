import type { Charged, Refused } from '../domain/budget/reserve';
import { chargeRuntime, settle } from '../domain/budget/reserve';
import type { Exceeded } from '../protocol/calls';
import type { AttemptTx } from './ledger-port';
import type { Usage } from './ports';

/** Books a charge, or says which limit refused it and records that. */
export function charge(tx: AttemptTx, charged: Charged): Exceeded | undefined {
  if (charged.ok) {
    tx.update({ account: charged.account });
    return undefined;
  }
  return exceeded(tx, charged);
}

/** R6.3: what is refused is recorded, and the workflow suspends. */
function exceeded(tx: AttemptTx, refused: Refused): Exceeded {
  tx.emit({ type: 'budget_exceeded', payload: { limit: refused.limit, used: refused.used, max: refused.max } });
  return { kind: 'over_budget', limit: refused.limit };
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
