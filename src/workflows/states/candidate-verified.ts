import { endAs } from '../run/next';
import type { Run } from '../run/run';
import type { RunState } from '../run/run-state';

/** Verified is not completed: what a workspace holds is committed first (R2.5). */
export async function candidateVerified(run: Run): Promise<RunState> {
  return run.start.hasWorkspace ? { kind: 'COMMITTING' } : await endAs(run, 'COMPLETED', 'success');
}
