import type { CallAnswers, CallArgs } from '../../protocol/calls';
import { compact } from '../calls/numbered';
import { retried } from '../calls/retried';
import { summaryTriesMax } from '../limits';
import { blocked, overBudget, stopped } from '../run/next';
import type { Run } from '../run/run';
import type { ActiveRunState, RunState } from '../run/run-state';

type Compacting = Extract<ActiveRunState, { kind: 'COMPACTING' }>;

/**
 * Makes the view of the present step smaller and goes back to ask for it (R13.2–R13.4).
 *
 *   I1  Whatever the summariser does, the step goes on: after so many useless summaries, or where the model does not answer,
 *       the projection is made without one.
 *   I2  It leaves to the same step with what was done, so that a step is compacted at most twice for one model.
 */
export async function compacting(run: Run, { tries: before, tight }: Compacting): Promise<RunState> {
  let tries = before;
  const ask = (how: Pick<CallArgs['compact'], 'mechanical' | 'rejected'>) => {
    tries += 1;
    return compact(run, tries, { ...how, ...(tight && { tight }) });
  };
  let how: Pick<CallArgs['compact'], 'rejected'> = {};
  for (let rejected = 0; rejected < summaryTriesMax; rejected += 1) {
    const answer = await retried(run, () => ask(how));
    if (answer.kind === 'gave_up' || answer.kind === 'exhausted') break;
    if (answer.kind !== 'rejected') return next(run, answer, tries, tight);
    how = { rejected: answer.code };
  }
  return next(run, await ask({ mechanical: true }), tries, tight);
}

type Final = CallAnswers['compact'];

function next(run: Run, answer: Final, tries: number, tight: true | undefined): RunState {
  switch (answer.kind) {
    case 'compacted':
    case 'unchanged':
    case 'rejected':
    case 'failed': // what ails the model is found, and reported, by the step itself
      return { kind: 'WAITING_FOR_MODEL', tries, compacted: tight ? 'tight' : 'normal' };
    case 'over_budget':
      return overBudget(run, answer);
    case 'interrupted':
      return stopped(run, answer);
    case 'gave_up':
      return blocked;
  }
}
