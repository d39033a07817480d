import { failed } from '../../domain/failure/failed';
import { isDue, isRunning, type JobEndedBy, pollPauseMs } from '../../domain/job/job';
import type { Call, CallAnswers } from '../../protocol/calls';
import { actionId } from '../../protocol/ids';
import type { JobRow } from '../job-rows';
import type { AttemptTx } from '../ledger-port';
import type { Opened } from '../numbered-call';
import { observe } from '../observe';
import type { ToolResult, WriteTool } from '../ports';
import type { JobFound } from './ask-job';
import { pending } from './await-job';

type Answer = CallAnswers['act'];

/** What `act` does for an action whose job was submitted: a look at it, when it is time (R15.2). */
export interface JobLook {
  readonly kind: 'job';
  /** Undefined where it is not here any more: then only the job's own word, or its limit, ends the wait. */
  readonly tool: WriteTool | undefined;
  readonly job: JobRow;
  /** It runs, and has taken too long. */
  readonly overdue: boolean;
}

/** A stop that waits is taken by whoever waits for the job, so that the job is asked to end as well (M5). */
export function openJob(
  call: Call<'act'>,
  tool: WriteTool | undefined,
  job: JobRow,
  { cancel, suspend }: { readonly cancel: boolean; readonly suspend: boolean },
): Opened<Answer, JobLook> {
  if (cancel || suspend || !isDue(job, call.now)) return { answer: pending(job) };
  return { work: { kind: 'job', tool, job, overdue: isRunning(job) && call.now >= job.endsBy } };
}

/** What the model is told of a job that has ended; undefined while it goes on. */
export function jobResult({ tool, job: { tool: name } }: JobLook, found: JobFound): ToolResult | undefined {
  switch (found.kind) {
    case 'running':
      return undefined;
    case 'succeeded':
      return { ok: true, output: found.output };
    case 'failed':
      return failed(
        { class: 'tool_business', code: 'JOB_FAILED' },
        `The job that ${name} submitted has failed${found.output === '' ? '.' : `: ${found.output}`}`,
        'Find out why before you submit another one.',
      );
    case 'unknown':
      return failed(
        { class: 'tool_business', code: 'JOB_TIMEOUT' },
        `The job that ${name} submitted did not end in time; ${endWords(tool)}, and what became of it is not known.`,
        'Look at what it has done before you submit another one.',
      );
  }
}

const endWords = (tool: WriteTool | undefined) => (tool?.job?.cancel ? 'it was told to end' : 'nobody here can end it');

/** Transaction two of a look. `result`: what the model is told, with its text; undefined while the job goes on. */
export function closeJob(
  tx: AttemptTx,
  call: Call<'act'>,
  { tool, job }: JobLook,
  found: JobFound,
  result: ToolResult | undefined,
  text: string,
): Answer {
  const { step, index } = call.args;
  if (found.kind === 'running' || !result) {
    const asked = found.kind === 'running' ? found.pollAfterMs : undefined;
    const next = { polls: job.polls + 1, nextPollAt: call.now + pollPauseMs(job.polls, asked) };
    tx.changeJob(job, next);
    return pending({ ...job, ...next });
  }
  if (isRunning(job))
    endOfJob(tx, job, found.kind === 'succeeded' ? 'succeeded' : 'failed', found.kind === 'unknown' ? 'limit' : 'poll');
  return observe(tx, { step, index }, tool ? { of: tool } : { about: job.tool }, result, text);
}

export function endOfJob(tx: AttemptTx, job: JobRow, as: 'succeeded' | 'failed' | 'cancelled', by: JobEndedBy): void {
  const { step, index, tool } = job;
  tx.changeJob(job, { state: as });
  if (!job.mine) return; // whoever submitted it tells of its end
  const action = actionId(tx.attempt.ref.id, step, index);
  tx.emit({ type: 'job_ended', payload: { action, tool, as, by } });
}
