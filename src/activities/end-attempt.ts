import { type EndState, isEnd, type Reason } from '../domain/attempt/states';
import type { Contract } from '../domain/contract/contract';
import { type Effect, isOpen } from '../domain/effect/effect';
import { actionId } from '../protocol/ids';
import { voidApprovals } from './approvals';
import { writeCheckpoint } from './checkpoint';
import { giveBack } from './effects/give-back';
import type { AttemptTx } from './ledger-port';
import { rejectMessages } from './messages';
import type { VersionDeps } from './versions-here';

export interface Ended {
  readonly kind: 'ended';
  readonly state: EndState;
  readonly reason: Reason;
}

/**
 * M8: ends the attempt where it has not ended, and says what its row then says. `effects`: all of the attempt's, as this
 * transaction leaves them. Throws where the truth about one is open: a bug of whoever asks for the end.
 */
export async function endAttempt(
  deps: VersionDeps,
  tx: AttemptTx,
  contract: Contract,
  state: EndState,
  reason: Reason,
  effects?: readonly Effect[],
): Promise<Ended> {
  if (tx.attempt.ended) return standing(tx);
  const own = effects ?? (await tx.ownEffects());
  for (const effect of own) closeClaim(tx, effect);
  await voidApprovals(tx);
  rejectMessages(tx, `The attempt had ended (${state}).`);
  tx.update({ state, reason, taskCompletion: state === 'COMPLETED' ? 'met' : 'unmet', ended: true });
  // R15.1: nothing of them runs on beside a result.
  if (state === 'COMPLETED' && tx.attempt.start.race)
    await tx.cancelRivals(`${tx.attempt.ref.id} has met the contract, and is the result.`);
  await writeCheckpoint(deps, tx, contract, 'end', own);
  tx.emit({ type: 'ended', payload: { state, reason } });
  return { kind: 'ended', state, reason };
}

/** A claim that was never sent gives its key back (E1). */
function closeClaim(tx: AttemptTx, effect: Effect): void {
  if (effect.phase === 'CLAIMED') giveBack(tx, effect);
  if (!isOpen(effect)) return;
  const action = actionId(tx.attempt.ref.id, effect.step, effect.index);
  throw new Error(`${tx.attempt.ref.id} cannot end: what became of ${action} is not known (${effect.phase}).`);
}

function standing({ attempt: { state, reason } }: AttemptTx): Ended {
  if (!isEnd(state) || reason === null) throw new Error(`An ended attempt is in the state ${state}.`);
  return { kind: 'ended', state, reason };
}
