import { idempotencyKey } from '../../domain/effect/effect';
import type { AttemptTx } from '../ledger-port';

/** E9: what the one action of a compensation came to is written on the effect that it undoes. */
export async function settleCompensated(tx: AttemptTx, ok: boolean): Promise<void> {
  const { compensation } = tx.attempt.start;
  const undone = compensation && (await tx.effect(compensation.effect));
  if (!undone) return;
  tx.updateEffect(undone, undone.fence, { phase: ok ? 'COMPENSATED' : 'COMPENSATION_FAILED' });
  tx.emit({ type: 'compensated', payload: { effect: idempotencyKey(tx.attempt.ref.tenant, undone), ok } });
}
