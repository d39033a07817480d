import { type Effect, idempotencyKey } from '../../domain/effect/effect';
import { type Job, lookAt, pollPauseMs } from '../../domain/job/job';
import type { Call, CallAnswers } from '../../protocol/calls';
import type { AttemptTx } from '../ledger-port';
import type { WriteTool } from '../ports';

export type Pending = Extract<CallAnswers['act'], { kind: 'pending' }>;
type Submission = Pick<Effect, 'key' | 'generation' | 'downstreamId'>;
type Submitted = Submission & { readonly downstreamId: string };

/** It took effect by the other side's word, and what it began goes on there. A person's word names no job. */
export function isJob(tool: WriteTool, effect: Effect): effect is Effect & Submitted {
  const { phase, settledBy, downstreamId } = effect;
  return tool.job !== undefined && phase === 'COMMITTED' && settledBy !== 'person' && downstreamId !== null;
}

/**
 * The action's operation was submitted: it has an answer once its job has (R15.2). `mine`: by this action; another one's job is
 * followed too, for its submission alone says nothing of what came of it.
 */
export function awaitJob(
  tx: AttemptTx,
  call: Call<'act'>,
  tool: WriteTool,
  effect: Submitted,
  { pollAfterMs, mine = true }: { readonly pollAfterMs?: number | undefined; readonly mine?: boolean } = {},
): Pending {
  const { step, index } = call.args;
  const { maxMs } = tool.job ?? { maxMs: 0 };
  const handle = effect.downstreamId;
  const key = idempotencyKey(call.ref.tenant, effect);
  const job = { nextPollAt: call.now + pollPauseMs(0, pollAfterMs), endsBy: call.now + maxMs };
  tx.insert('jobs', {
    step,
    index,
    handle,
    effect: key,
    mine,
    state: 'running',
    next_poll_at: job.nextPollAt,
    ends_by: job.endsBy,
    output: null,
  });
  const shown = tool.job?.shownAs?.(handle) ?? handle;
  if (mine) tx.emit({ type: 'job_submitted', payload: { index, tool: tool.name, handle: shown } });
  return pending({ effect: key, ...job });
}

export const pending = (job: Pick<Job, 'effect' | 'nextPollAt' | 'endsBy'>): Pending => ({
  kind: 'pending',
  effect: job.effect,
  lookAt: lookAt(job),
});
