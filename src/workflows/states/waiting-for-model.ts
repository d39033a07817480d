import { think } from '../calls/numbered';
import { retried } from '../calls/retried';
import { blocked, overBudget, stopped, withoutModel } from '../run/next';
import type { Run } from '../run/run';
import type { ActiveRunState, RunState } from '../run/run-state';

type WaitingForModel = Extract<ActiveRunState, { kind: 'WAITING_FOR_MODEL' }>;

/** Asks the model for the step's proposal, and its fallbacks in order where it cannot answer. */
export async function waitingForModel(run: Run, state: WaitingForModel): Promise<RunState> {
  let { tries, compacted } = state;
  for (;;) {
    const answer = await retried(run, () => {
      tries += 1;
      return think(run, tries, compacted);
    });
    switch (answer.kind) {
      case 'proposal':
        return { kind: 'DECIDING', actions: answer.actions, stop: answer.stop };
      case 'compact':
        return { kind: 'COMPACTING', tries, ...(answer.tight && { tight: answer.tight }) };
      case 'over_budget':
        return overBudget(run, answer);
      case 'interrupted':
        return stopped(run, answer);
      case 'gave_up':
        return blocked;
      case 'exhausted':
        // A model can't be shown its own failure, so `observe` is one more reason to ask another.
        if (answer.reaction.kind !== 'next_model' && answer.reaction.kind !== 'observe')
          return withoutModel(run, answer.reaction);
        if (run.model + 1 >= run.start.models.length) return blocked;
        run.model += 1;
        compacted = undefined; // the next one may have a smaller context
    }
  }
}
