import type { AttemptState, Reason } from '../domain/attempt/states';
import type { Contract } from '../domain/contract/contract';
import { writeCheckpoint } from './checkpoint';
import type { AttemptTx } from './ledger-port';
import type { VersionDeps } from './versions-here';

/** Says, once for each pause, that the attempt waits and why, and keeps what it stands on (R12.1). */
export async function enterPause(
  deps: VersionDeps,
  tx: AttemptTx,
  contract: Contract,
  state: AttemptState,
  reason: Reason,
): Promise<void> {
  if (tx.attempt.reason === reason) return;
  tx.update({ state, reason });
  await writeCheckpoint(deps, tx, contract, 'pause');
  tx.emit({ type: 'paused', payload: { state, reason } });
}

/** What the attempt waited for is there; a pause for the same reason after it is another one. */
export function leavePause(tx: AttemptTx): void {
  tx.update({ reason: null });
}
