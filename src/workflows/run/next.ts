import type { EndState, Reason } from '../../domain/attempt/states';
import { checkMove, reasonTable } from '../../domain/attempt/table';
import type { Reaction } from '../../domain/failure/reactions';
import type { ResumePoint } from '../../protocol/attempt';
import type { CallAnswers, Exceeded, Interrupted } from '../../protocol/calls';
import { record } from '../calls/numbered';
import { readied } from './batch';
import { resumePointOf, stateAt } from './place';
import type { Run } from './run';
import { isWait, type PausedRunState, type RunState } from './run-state';

/** Next states that several states lead to, and what they do on the way. */

export const cancelling: RunState = { kind: 'CANCELLING', round: 0, ask: false };
/** Nothing here can go on by itself, and a person may know what to do. */
export const blocked: RunState = { kind: 'WAITING_FOR_USER', reason: 'blocked' };

/** A cancel was taken, or a request to suspend: the present state says where to go on then. */
export function stopped(run: Run, { suspend }: Pick<Interrupted, 'suspend'>): RunState {
  return suspend ? suspended(run, { reason: 'suspended' }) : cancelling;
}

/** R6.3: what is left of the work waits for a limit to be raised. */
export function overBudget(run: Run, { limit, least }: Exceeded): RunState {
  return suspended(run, { reason: 'budget_exceeded', limit, ...(least !== undefined && { least }) });
}

type Suspended = Extract<PausedRunState, { kind: 'SUSPENDED' }>;
function suspended(run: Run, why: Pick<Suspended, 'reason' | 'limit' | 'least'>): RunState {
  const resume = resumePointOf(run.state);
  return { kind: 'SUSPENDED', ...why, ...(resume && { resume }) };
}

/** The pause that belongs to a reason (R2.3). Throws where it is no pause of this driver: a bug. */
export function pauseFor(run: Run, reason: Reason): RunState {
  const { state } = reasonTable[reason];
  if (state === 'WAITING_FOR_USER') return { kind: state, reason };
  if (state === 'SUSPENDED') return suspended(run, { reason });
  throw new Error(`Nothing pauses here with the reason ${reason}`);
}

/** Asks the attempt's row for its end and follows what it says, whoever wrote it (M8). */
export async function endAs(run: Run, state: EndState, reason: Reason): Promise<RunState> {
  checkMove(run.state.kind, state);
  const answer = await record(run, { at: 'end', state, reason, candidate: run.candidate });
  if (answer.kind === 'none' || answer.kind === 'repair') throw new Error(`The end was answered with ${answer.kind}`);
  return afterRecord(run, answer);
}

/** What follows where no further try helps and no model can be asked about it. */
export function withoutModel(run: Run, reaction: Exclude<Reaction, { kind: 'retry' }>): RunState {
  switch (reaction.kind) {
    case 'observe':
    case 'next_model':
      return blocked;
    case 'pause':
      return pauseFor(run, reaction.reason);
  }
}

type Decided = Exclude<CallAnswers['record'], { kind: 'none' } | { kind: 'repair' }>;

/** What a `record` decided by the messages that it took. */
export function afterRecord(run: Run, answer: Decided): RunState {
  switch (answer.kind) {
    case 'said':
      if (run.start.compensation) throw new Error('A compensation was told to ask a model');
      run.turn = answer.turn;
      return nextStep(run);
    case 'go':
      if (!isWait(run.state)) throw new Error(`${run.state.kind} waits for no action`);
      return { kind: 'EXECUTING_TOOL', batch: readied(run.state.batch, answer.ready ?? []) };
    case 'resume':
      if (run.state.kind !== 'SUSPENDED') throw new Error(`${run.state.kind} cannot be resumed`);
      return resumed(run, run.state.resume);
    case 'over_budget':
      return overBudget(run, answer);
    case 'cancel':
      return cancelling;
    case 'suspend':
      return stopped(run, { suspend: true });
    case 'ended':
      return { kind: answer.state, reason: answer.reason };
  }
}

/** Resume goes on with durable state and brings nothing else back (R9.1): what it goes on with is decided and authorised anew. */
function resumed(run: Run, resume: ResumePoint | undefined): RunState {
  return resume ? stateAt(resume) : nextStep(run);
}

function nextStep(run: Run): RunState {
  run.model = 0; // a person has looked, so the preferred model is worth another try
  return run.start.hasWorkspace && !run.prepared ? { kind: 'CREATED' } : { kind: 'ASSEMBLING_CONTEXT' };
}
