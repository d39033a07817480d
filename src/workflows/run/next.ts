import type { EndState, Reason } from '../../domain/attempt/states';
import { checkMove, reasonTable } from '../../domain/attempt/table';
import type { Reaction } from '../../domain/failure/reactions';
import type { CallAnswers } from '../../protocol/calls';
import { record } from '../calls/numbered';
import type { Run } from './run';
import type { RunState } from './run-state';

/** Next states that several states lead to, and what they do on the way. */

export const cancelling: RunState = { kind: 'CANCELLING' };
export const overBudget: RunState = { kind: 'SUSPENDED', reason: 'budget_exceeded' };
/** Nothing here can go on by itself, and a person may know what to do. */
export const blocked: RunState = { kind: 'WAITING_FOR_USER', reason: 'blocked' };

/** The pause that belongs to a reason (R2.3). Throws where it is no pause of this driver: a bug. */
export function pauseFor(reason: Reason): RunState {
  const { state } = reasonTable[reason];
  if (state === 'WAITING_FOR_USER' || state === 'SUSPENDED') return { kind: state, reason };
  throw new Error(`Nothing pauses with the reason ${reason}`);
}

/** Asks the attempt's row for its end and follows what it says, whoever wrote it (M8). */
export async function endAs(run: Run, state: EndState, reason: Reason): Promise<RunState> {
  checkMove(run.state.kind, state);
  const answer = await record(run, { at: 'end', state, reason, candidate: run.candidate });
  if (answer.kind === 'none' || answer.kind === 'repair') throw new Error(`The end was answered with ${answer.kind}`);
  return afterRecord(run, answer);
}

/** What follows where no further try helps and no model can be asked about it. */
export function withoutModel(reaction: Exclude<Reaction, { kind: 'retry' }>): RunState {
  switch (reaction.kind) {
    case 'observe':
    case 'next_model':
      return blocked;
    case 'pause':
      return pauseFor(reaction.reason);
  }
}

type Decided = Exclude<CallAnswers['record'], { kind: 'none' } | { kind: 'repair' }>;

/** What a `record` decided by the messages that it took. */
export function afterRecord(run: Run, answer: Decided): RunState {
  switch (answer.kind) {
    case 'said':
      run.turn = answer.turn;
      run.model = 0; // a person has looked, so the preferred model is worth another try
      return run.start.hasWorkspace && !run.prepared ? { kind: 'CREATED' } : { kind: 'ASSEMBLING_CONTEXT' };
    case 'over_budget':
      return overBudget;
    case 'cancel':
      return cancelling;
    case 'ended':
      return { kind: answer.state, reason: answer.reason };
  }
}
