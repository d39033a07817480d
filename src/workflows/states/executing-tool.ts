import type { PlannedAction } from '../../protocol/calls';
import { act } from '../calls/numbered';
import { retried } from '../calls/retried';
import { blocked, cancelling, endAs, overBudget, withoutModel } from '../run/next';
import type { Run } from '../run/run';
import type { ActiveRunState, RunState } from '../run/run-state';

type Executing = Extract<ActiveRunState, { kind: 'EXECUTING_TOOL' }>;

/** Runs the proposal's actions in its order, each to its observation; whatever stops one stops those after it. */
export async function executingTool(run: Run, { actions, stop }: Executing): Promise<RunState> {
  for (const action of actions) {
    const stopped = await execute(run, action);
    if (stopped) return stopped;
  }
  return { kind: 'DECIDING', actions: [], stop };
}

/** Undefined once the model can see how the action went. */
async function execute(run: Run, action: PlannedAction): Promise<RunState | undefined> {
  const answer = await retried(run, (tries) => act(run, action, tries));
  switch (answer.kind) {
    case 'observed':
      return answer.loop ? await endAs(run, 'FAILED', 'loop_detected') : undefined;
    case 'over_budget':
      return overBudget;
    case 'interrupted':
      return cancelling;
    case 'gave_up':
      return blocked;
    case 'exhausted':
      return answer.reaction.kind === 'observe' ? undefined : withoutModel(answer.reaction);
  }
}
