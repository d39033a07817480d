import type { Contract } from '../domain/contract/contract';
import { type Effect, idempotencyKey } from '../domain/effect/effect';
import { actionId } from '../protocol/ids';
import { type Ended, endAttempt } from './end-attempt';
import type { AttemptTx } from './ledger-port';
import type { VersionDeps } from './versions-here';

/**
 * The end of a cancelled attempt, which says whether something took effect all the same (R11.2): what was committed at or
 * after the time at which the cancel was stored, by the ledger's clock. `processes`: its workspace's were looked for, and none runs any more.
 */
export async function endCancelled(
  deps: VersionDeps,
  tx: AttemptTx,
  contract: Contract,
  effects: readonly Effect[],
  processes: boolean,
): Promise<Ended> {
  const { ref, ended } = tx.attempt;
  const requestedAt = ended ? undefined : await firstCancel(tx);
  if (!requestedAt) return endAttempt(deps, tx, contract, 'CANCELLED', 'cancelled', effects);
  const committed = effects.flatMap((effect) => {
    const at = effect.committedAt;
    if (!at || at.getTime() < requestedAt.getTime()) return [];
    const action = actionId(ref.id, effect.step, effect.index);
    const known = {
      ...(effect.sentAt && { sentAt: effect.sentAt.toISOString() }),
      ...(effect.settledBy && { by: effect.settledBy }),
    };
    return [{ action, effect: idempotencyKey(ref.tenant, effect), at: at.toISOString(), ...known }];
  });
  tx.emit({
    type: 'cancel_settled',
    payload: { requestedAt: requestedAt.toISOString(), committed, ...(processes && { processes }) },
  });
  const reason = committed.length > 0 ? 'cancelled_effect_committed' : 'cancelled';
  return endAttempt(deps, tx, contract, 'CANCELLED', reason, effects);
}

/** Taken by an earlier call, or by this transaction, whose reads show what was before it. */
async function firstCancel(tx: AttemptTx): Promise<Date | undefined> {
  const earlier = await tx.cancelRequestedAt();
  const taken = tx.messages.find((message) => message.kind === 'cancel' && message.disposition === 'taken');
  return earlier ?? taken?.at;
}
