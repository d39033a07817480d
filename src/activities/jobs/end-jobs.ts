import type { Call } from '../../protocol/calls';
import type { ActivityDeps } from '../deps';
import type { AttemptTx } from '../ledger-port';
import { endOfJob } from './act-on-job';
import { endJob } from './ask-job';
import { noteLateSuccess } from './late-success';

/**
 * Asks what an attempt that is being cancelled has running elsewhere to end, and whether it has (R11.1). Rejects with the
 * signal's reason.
 */
export async function endJobs(deps: ActivityDeps, { ref, n, now }: Call, signal: AbortSignal): Promise<void> {
  const jobs = await deps.ledger.transact(ref, { n }, ownJobs);
  if (jobs.length === 0) return;
  const found = await Promise.all(
    jobs.map(async (job) => {
      const tool = deps.tools.get(job.tool);
      if (!tool || !('send' in tool)) return { asked: job.cancelAsked, ended: undefined };
      return await endJob(deps, ref.tenant, tool, job, signal);
    }),
  );
  await deps.ledger.transact(ref, { n }, async (tx) => {
    const running = await ownJobs(tx);
    for (const [at, before] of jobs.entries()) {
      const job = running.find(({ step, index }) => step === before.step && index === before.index);
      const look = found[at];
      if (!job || !look) continue;
      if (look.ended === 'succeeded') await noteLateSuccess(tx, job);
      if (look.ended) endOfJob(tx, job, look.ended, 'poll');
      // Nobody answers for it any more, and an attempt does not wait for that without end.
      else if (now >= job.endsBy) endOfJob(tx, job, 'cancelled', 'limit');
      else if (look.asked && !job.cancelAsked) tx.changeJob(job, { cancelAsked: true });
    }
  });
}

/** Whether something of the attempt runs elsewhere still (R11.3). */
export const hasJobs = async (tx: AttemptTx): Promise<boolean> => (await ownJobs(tx)).length > 0;

/** What another action submitted is for that one to end. */
const ownJobs = async (tx: AttemptTx) => (await tx.runningJobs()).filter(({ mine }) => mine);
