import { z } from 'zod';
import { isRunning } from '../../domain/job/job';
import type { ActivityDeps } from '../deps';
import type { JobRow } from '../job-rows';
import type { JobAnswer, JobWork, WriteContext, WriteTool } from '../ports';
import { inTime } from '../tool-run';

/** What a look at a job found. `unknown`: it has taken too long, and nobody says what became of it. */
export type JobFound = JobAnswer | { readonly kind: 'unknown' };

type AskDeps = Pick<ActivityDeps, 'artifacts' | 'hide'>;

/** Longest for one question while an attempt is ended, ms: the call that asks two of each job has a minute for everything, and is made again. */
const endQuestionMaxMs = 5_000;

/**
 * Asks how a job goes. One that has said by itself that it ended is asked for its result where it did not say that, too.
 * A job that takes too long (`overdue`) is asked to end, and then once more how it went. Rejects only with the signal's reason.
 */
export async function askJob(
  deps: AskDeps,
  tenant: string,
  tool: WriteTool | undefined,
  job: JobRow,
  overdue: boolean,
  signal: AbortSignal,
): Promise<JobFound> {
  // The call has room for one question as long as the tool may take.
  const ask = asker(deps, tenant, tool, (tool?.timeoutMs ?? 0) / (overdue ? 2 : 1), signal);
  if (!isRunning(job)) return await resultOf(ask, saidClean(job, deps.hide));
  if (!overdue) return (await ask(pollOf(job))) ?? { kind: 'running' };
  if (job.mine) await ask(cancelOf(job));
  const last = await ask(pollOf(job));
  return last === undefined || last.kind === 'running' ? { kind: 'unknown' } : last;
}

/** What its own word said (`effectSettled`) came past the tool, whose answers are cleaned where it is called. */
const saidClean = (job: JobRow, hide: AskDeps['hide']): JobRow =>
  hide === undefined || job.output === null ? job : { ...job, output: hide(job.output) };

/**
 * Asks a job to end, as its attempt does (R11.1). `running`: it has been asked, or could not be, and goes on.
 */
export async function endJob(
  deps: AskDeps,
  tenant: string,
  tool: WriteTool,
  job: JobRow,
  signal: AbortSignal,
): Promise<{ readonly asked: boolean; readonly ended: 'succeeded' | 'failed' | 'cancelled' | undefined }> {
  const ask = asker(deps, tenant, tool, endQuestionMaxMs, signal);
  const asked = job.cancelAsked || (await ask(cancelOf(job))) === 'asked';
  if (!tool.job?.poll) return { asked, ended: asked ? 'cancelled' : undefined };
  const found = await ask(pollOf(job));
  if (found === undefined || found.kind === 'running') return { asked, ended: undefined };
  return { asked, ended: asked && found.kind === 'failed' ? 'cancelled' : found.kind };
}

type Question<T> = (work: JobWork, context: WriteContext) => Promise<T | undefined>;
type Ask = <T>(question: Question<T>) => Promise<T | undefined>;

const pollOf =
  ({ handle }: JobRow): Question<JobAnswer> =>
  async (work, context) =>
    work.poll && answerSchema.parse(await work.poll(handle, context));
/** A module may answer anything; what is no answer has found out nothing. */
const answerSchema: z.ZodType<JobAnswer> = z.union([
  z.object({ kind: z.literal('running'), pollAfterMs: z.number().optional() }),
  z.object({ kind: z.enum(['succeeded', 'failed']), output: z.string() }),
]) as z.ZodType<JobAnswer>;
const cancelOf =
  ({ handle }: JobRow): Question<'asked'> =>
  async (work, context) => {
    if (!work.cancel) return undefined;
    await work.cancel(handle, context);
    return 'asked';
  };

/** A question that fails, or is not answered in time, has found out nothing. */
function asker(
  { artifacts }: AskDeps,
  tenant: string,
  tool: WriteTool | undefined,
  timeLimitMs: number,
  signal: AbortSignal,
): Ask {
  return async (question) => {
    const work = tool?.job;
    if (!tool || !work) return undefined;
    try {
      return await inTime(tool, { timeLimitMs }, signal, (abort) =>
        question(work, { signal: abort, tenant, artifacts }),
      );
    } catch (error) {
      if (signal.aborted) throw error;
      return undefined;
    }
  };
}

async function resultOf(ask: Ask, job: JobRow): Promise<JobFound> {
  const kind = job.state === 'succeeded' ? 'succeeded' : 'failed';
  if (job.output !== null) return { kind, output: job.output };
  const found = await ask(pollOf(job));
  const output = found === undefined || found.kind === 'running' ? '' : found.output;
  return { kind, output };
}
