import { type Effect, idempotencyKey } from '../../domain/effect/effect';
import type { Call } from '../../protocol/calls';
import { type AttemptRef, actionId } from '../../protocol/ids';
import type { AttemptTx } from '../ledger-port';

/** Whoever looks for the truth is helped by the first lines of an error, and a payload holds small facts; characters. */
const detailMaxChars = 500;

/** The effect stays, or becomes, UNKNOWN (R4.5); `code` says why. The answer of the `act` that found it so. */
export function leaveUnknown(tx: AttemptTx, call: Call<'act'>, effect: Effect, code: string): { kind: 'unknown' } {
  markUnknown(tx, call.ref, effect, code);
  return { kind: 'unknown' };
}

/**
 * Where it is not UNKNOWN already; its event says so once. What a late answer has said is known, so such a row is settled
 * instead (E4). `detail`: what was thrown or said, in the words of the tool, which keeps its secrets out of them (R10.4).
 */
export function markUnknown(tx: AttemptTx, ref: AttemptRef, effect: Effect, code: string, detail = ''): void {
  if (effect.phase === 'UNKNOWN') return;
  const name = { action: actionId(ref.id, effect.step, effect.index), effect: idempotencyKey(ref.tenant, effect) };
  if (effect.committedAt) {
    tx.updateEffect(effect, effect.fence, { phase: 'COMMITTED', settledBy: 'late' });
    tx.emit({ type: 'effect_settled', payload: { ...name, as: 'committed', by: 'late' } });
    return;
  }
  tx.updateEffect(effect, effect.fence, { phase: 'UNKNOWN' });
  const cause = { code, ...(detail !== '' && { detail: detail.slice(0, detailMaxChars) }) };
  tx.emit({ type: 'effect_unknown', payload: { ...name, ...cause } }, 'operator');
}
