import { checkpointVersion } from '../domain/checkpoint/checkpoint';
import { readCheckpoint } from '../domain/checkpoint/read-checkpoint';
import type { Contract } from '../domain/contract/contract';
import type { AttemptTx } from './ledger-port';
import { noteDifference, noticeVersions } from './notice-versions';
import type { VersionDeps } from './versions-here';

/**
 * Whether what was waited for lets the attempt leave its pause here: each version that is another than it last went on
 * beside is an event, and what follows of it is done (R12.2). False where the checkpoint is a newer Holdfast's, or
 * damaged; the pause then goes on, and whoever resumes it again may find a worker that knows more.
 */
export async function mayLeave(deps: VersionDeps, tx: AttemptTx, contract: Contract): Promise<boolean> {
  if (tx.attempt.reason === null) return true; // what it asks for was there before it paused
  const newest = await tx.newestCheckpoint();
  if (!newest) return true;
  const read = readCheckpoint(newest);
  if (!read.ok) {
    const to = String(checkpointVersion);
    if (read.newer === undefined) noteDifference(tx, { part: 'checkpoint', change: 'unreadable', from: null, to });
    else noteDifference(tx, { part: 'checkpoint', change: 'newer', from: String(read.newer), to });
    return false;
  }
  await noticeVersions(deps, tx, contract, read.checkpoint.versions);
  return true;
}
