import type { Answered } from '../protocol/calls';
import { ElsewhereError } from './errors';
import type { AttemptTx } from './ledger-port';

/**
 * Which of several hosts works in an attempt's worktree, decided under the attempt's lock.
 *
 *   I1  The attempt's row names one, from its preparation on. Calls that need the worktree are opened there, and nowhere else while a
 *       worker of that host has a lease.
 *   I2  Once none has, whoever opens the next such call takes the worktree over. What the other host may still do is fenced as any
 *       execution under an ended lease is (M9): it writes no answer, so none of its snapshots is ever named.
 */

/** The host that leaves the worktree to this one; undefined where it stays. Throws ElsewhereError where the other one lives. */
export async function leftBy(tx: AttemptTx, here: string | undefined): Promise<string | undefined> {
  const { host, start } = tx.attempt;
  if (start.hosts !== 'many' || here === undefined || host === null || host === here) return undefined;
  if (await tx.hostLives(host)) throw new ElsewhereError(host);
  return host;
}

export function takeOver(tx: AttemptTx, from: string, here: string): void {
  tx.update({ host: here });
  tx.emit({ type: 'workspace_moved', payload: { from, to: here, snapshot: tx.attempt.snapshot } }, 'operator');
}

/** What an answer says of it. */
export const hostIn = ({ attempt: { host } }: AttemptTx): Pick<Answered, 'host'> => (host === null ? {} : { host });
