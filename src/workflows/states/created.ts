import { prepare } from '../calls/numbered';
import { retried } from '../calls/retried';
import { blocked, stopped, withoutModel } from '../run/next';
import type { Run } from '../run/run';
import type { RunState } from '../run/run-state';

/** Makes the workspace, where the attempt has one. A compensation begins with its one action, which is step 1 (E9). */
export async function created(run: Run): Promise<RunState> {
  if (run.start.compensation) {
    run.step = 1;
    const batch = { actions: [run.start.compensation.action], stop: { kind: 'compensation' } } as const;
    return { kind: 'EXECUTING_TOOL', batch };
  }
  if (!run.start.hasWorkspace) return { kind: 'ASSEMBLING_CONTEXT' };
  const answer = await retried(run, () => prepare(run));
  switch (answer.kind) {
    case 'ready':
      run.prepared = true;
      return { kind: 'ASSEMBLING_CONTEXT' };
    case 'interrupted':
      return stopped(run, answer);
    case 'gave_up':
      return blocked;
    case 'exhausted':
      return withoutModel(run, answer.reaction);
  }
}
