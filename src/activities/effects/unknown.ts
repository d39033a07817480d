import { type Effect, idempotencyKey } from '../../domain/effect/effect';
import type { Call } from '../../protocol/calls';
import { type AttemptRef, actionId } from '../../protocol/ids';
import type { AttemptTx } from '../ledger-port';

/** The effect stays, or becomes, UNKNOWN (R4.5); `code` says why. The answer of the `act` that found it so. */
export function leaveUnknown(tx: AttemptTx, call: Call<'act'>, effect: Effect, code: string): { kind: 'unknown' } {
  markUnknown(tx, call.ref, effect, code);
  return { kind: 'unknown' };
}

/** Where it is not UNKNOWN already; its event says so once. */
export function markUnknown(tx: AttemptTx, ref: AttemptRef, effect: Effect, code: string): void {
  if (effect.phase === 'UNKNOWN') return;
  tx.updateEffect(effect, effect.fence, { phase: 'UNKNOWN' });
  const action = actionId(ref.id, effect.step, effect.index);
  tx.emit({ type: 'effect_unknown', payload: { action, effect: idempotencyKey(ref.tenant, effect), code } });
}
