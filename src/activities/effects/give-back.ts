import type { Effect } from '../../domain/effect/effect';
import type { AttemptTx } from '../ledger-port';

/** E1: an action that ends before any send, or whose every send is proven to have been none, gives its key back. */
export function giveBack(tx: AttemptTx, effect: Effect): void {
  tx.updateEffect(effect, effect.fence, { phase: 'NOT_COMMITTED', sent: null, settledBy: 'runtime' });
}
