import { prepare } from '../calls/numbered';
import { retried } from '../calls/retried';
import { blocked, cancelling, withoutModel } from '../run/next';
import type { Run } from '../run/run';
import type { RunState } from '../run/run-state';

/** Makes the workspace, where the attempt has one. */
export async function created(run: Run): Promise<RunState> {
  if (!run.start.hasWorkspace) return { kind: 'ASSEMBLING_CONTEXT' };
  const answer = await retried(run, () => prepare(run));
  switch (answer.kind) {
    case 'ready':
      run.prepared = true;
      return { kind: 'ASSEMBLING_CONTEXT' };
    case 'interrupted':
      return cancelling;
    case 'gave_up':
      return blocked;
    case 'exhausted':
      return withoutModel(answer.reaction);
  }
}
