import { verifySealed } from '../calls/numbered';
import { retried } from '../calls/retried';
import { blocked, endAs, overBudget, stopped, withoutModel } from '../run/next';
import type { Run } from '../run/run';
import type { RunState } from '../run/run-state';

/** The final tests of a candidate that meets all else: the first that is not met ends the attempt, and nobody is told why (R3.4). */
export async function verifyingSealed(run: Run, sealed: readonly string[]): Promise<RunState> {
  for (const criterion of sealed) {
    const answer = await retried(run, () => verifySealed(run, criterion));
    switch (answer.kind) {
      case 'checked':
        if (!answer.met) return await endAs(run, 'FAILED', 'failed');
        break;
      case 'over_budget':
        return overBudget(run, answer);
      case 'interrupted':
        return stopped(run, answer);
      case 'gave_up':
        return blocked;
      case 'exhausted':
        return withoutModel(run, answer.reaction); // a test that can't run says nothing about the candidate
    }
  }
  return { kind: 'CANDIDATE_VERIFIED' };
}
