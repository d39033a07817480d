import type { Client } from '@temporalio/client';
import type { Pool } from 'pg';
import { isAlive } from '../embedded/process/process-identity';
import { endDeadWorkers } from '../ledger/leases';
import { openAttempts } from '../ledger/sweep';
import { failActivity, forgetStickyQueue } from '../temporal/take-over';
import { workerIdentity } from './worker-identity';

/** Calls at once to Temporal; hints need no more. */
const hintsAtOnce = 16;

/** Ends the leases of this host's dead workers, and tells Temporal what they held. Returns how many calls that was. */
export async function takeOverFromDead(pool: Pool, client: Client): Promise<number> {
  const { ended, orphans } = await endDeadWorkers(pool, (pid, startedAt) => isAlive({ pid, startedAt }));
  if (ended === 0) return 0;
  const hints = [
    ...orphans.map(
      ({ pid, pidStarted, ...call }) =>
        () =>
          failActivity(client, { ...call, heldBy: workerIdentity({ pid, startedAt: pidStarted }) }),
    ),
    ...(await openAttempts(pool)).map((ref) => () => forgetStickyQueue(client, ref)),
  ];
  for (let from = 0; from < hints.length; from += hintsAtOnce) {
    await Promise.all(hints.slice(from, from + hintsAtOnce).map((hint) => hint()));
  }
  return orphans.length;
}
