import { think } from '../calls/numbered';
import { retried } from '../calls/retried';
import { blocked, overBudget, stopped, withoutModel } from '../run/next';
import type { Run } from '../run/run';
import type { RunState } from '../run/run-state';

/** Asks the model for the step's proposal, and its fallbacks in order where it cannot answer. */
export async function waitingForModel(run: Run): Promise<RunState> {
  let triesOfStep = 0;
  for (;;) {
    const answer = await retried(run, () => {
      triesOfStep += 1;
      return think(run, triesOfStep);
    });
    switch (answer.kind) {
      case 'proposal':
        return { kind: 'DECIDING', actions: answer.actions, stop: answer.stop };
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
    }
  }
}
