import { checkpointVersion } from '../domain/checkpoint/checkpoint';
import { readCheckpoint } from '../domain/checkpoint/read-checkpoint';
import { handlingOf } from '../domain/checkpoint/resume-table';
import { type VersionDifference, versionDifferences } from '../domain/checkpoint/versions';
import type { Contract } from '../domain/contract/contract';
import type { AttemptTx } from './ledger-port';
import { tellModel } from './tell-model';
import { type VersionDeps, versionsHere } from './versions-here';

/**
 * Whether what was waited for lets the attempt leave its pause here: each version that is another than the checkpoint of the
 * pause noted is an event, and what follows of it is done (R12.2). False where the checkpoint is a newer Holdfast's, or
 * damaged; the pause then goes on, and whoever resumes it again may find a worker that knows more.
 */
export async function mayLeave(deps: VersionDeps, tx: AttemptTx, contract: Contract): Promise<boolean> {
  if (tx.attempt.reason === null) return true; // what it asks for was there before it paused
  const newest = await tx.newestCheckpoint();
  if (!newest) return true;
  const read = readCheckpoint(newest);
  if (!read.ok) {
    const to = String(checkpointVersion);
    if (read.newer === undefined) note(tx, { part: 'checkpoint', change: 'unreadable', from: null, to });
    else note(tx, { part: 'checkpoint', change: 'newer', from: String(read.newer), to });
    return false;
  }
  const differences = versionDifferences(read.checkpoint.versions, versionsHere(deps, contract, tx.attempt.start));
  for (const difference of differences) note(tx, difference);
  return true;
}

function note(tx: AttemptTx, difference: VersionDifference): void {
  const { change: _change, ...told } = difference;
  const handled = handlingOf(difference);
  tx.emit({ type: 'version_changed', payload: { ...told, handled } });
  if (handled === 'observe_again') tellModel(tx, changedWords(difference));
}

const changedWords = ({ part, from, to }: VersionDifference): string =>
  `While this attempt waited, the ${part} of its commands changed from "${from}" to "${to}". What they showed before may no longer hold: look again before you rely on it.`;
