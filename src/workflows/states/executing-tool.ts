import type { Batch } from '../../protocol/attempt';
import type { PlannedAction } from '../../protocol/calls';
import { act } from '../calls/numbered';
import { retried } from '../calls/retried';
import { blocked, endAs, overBudget, stopped, withoutModel } from '../run/next';
import type { Run } from '../run/run';
import type { ExecutingRunState, RunState } from '../run/run-state';

/**
 * Runs the proposal's actions in its order, each to its observation; whatever stops one stops those after it (R5.4). What is
 * left is the run's state at every moment, for a suspension to go on with.
 */
export async function executingTool(run: Run, { batch }: ExecutingRunState): Promise<RunState> {
  for (let rest = batch; ; rest = withoutFirst(rest)) {
    run.state = { kind: 'EXECUTING_TOOL', batch: rest };
    const [action] = rest.actions;
    if (!action) return { kind: 'DECIDING', actions: [], stop: rest.stop };
    const left = await execute(run, action, rest);
    if (left) return left;
  }
}

const withoutFirst = ({ actions, stop }: Batch): Batch => ({ actions: actions.slice(1), stop });

/** Undefined once the model can see how the action went. */
async function execute(run: Run, action: PlannedAction, batch: Batch): Promise<RunState | undefined> {
  let tries = 0;
  const ask = (count: number) => {
    tries = count;
    return act(run, action, count);
  };
  const answer = await retried(run, ask, batch.tries);
  // Tries that this answer leaves behind: where nothing was begun, the next call is the same try.
  const before = { ...batch, tries: tries - 1 };
  const after = { ...batch, tries };
  run.state = { kind: 'EXECUTING_TOOL', batch: answer.kind === 'interrupted' ? after : before };
  switch (answer.kind) {
    case 'observed':
      if (answer.loop) return await endAfter(run, batch, 'loop_detected');
      return run.start.compensation && !answer.ok ? await endAfter(run, batch, 'failed') : undefined;
    case 'denied':
      return run.start.compensation ? await endAfter(run, batch, 'failed') : undefined;
    case 'needs_approval':
      return {
        kind: 'WAITING_FOR_APPROVAL',
        batch: before,
        binding: answer.binding,
        expiresAt: answer.expiresAt,
      };
    case 'target_busy':
      return { kind: 'WAITING_FOR_EFFECT', batch: before, effect: answer.effect };
    case 'unknown':
      return reconcile(after);
    case 'over_budget':
      return overBudget(run, answer);
    case 'interrupted':
      return stopped(run, answer);
    case 'gave_up':
      if (answer.unknown) return reconcile(after);
      return run.start.compensation ? await endAfter(run, batch, 'failed') : blocked;
    case 'exhausted':
      if (run.start.compensation) return await endAfter(run, batch, 'failed');
      return answer.reaction.kind === 'observe' ? undefined : withoutModel(run, answer.reaction);
  }
}

const reconcile = (batch: Batch): RunState => ({ kind: 'RECONCILING', batch, round: batch.round ?? 0, ask: false });

/** The action has its observation, so what could go on, should the row say so, begins after it. */
async function endAfter(run: Run, batch: Batch, reason: 'loop_detected' | 'failed'): Promise<RunState> {
  run.state = { kind: 'EXECUTING_TOOL', batch: withoutFirst(batch) };
  return await endAs(run, 'FAILED', reason);
}
