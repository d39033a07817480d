import { commit } from '../calls/numbered';
import { retried } from '../calls/retried';
import { afterRecord, blocked, endAs, stopped, withoutModel } from '../run/next';
import type { Run } from '../run/run';
import type { RunState } from '../run/run-state';

/** Hands the verified candidate over; a cancel that is there before it wins (M8), and so does a revised goal (R1.2). */
export async function committing(run: Run): Promise<RunState> {
  const answer = await retried(run, () => commit(run));
  switch (answer.kind) {
    case 'committed':
      return await endAs(run, 'COMPLETED', 'success');
    case 'said':
    case 'over_budget':
      return afterRecord(run, answer);
    case 'interrupted':
      return stopped(run, answer);
    case 'gave_up':
      return blocked;
    case 'exhausted':
      return withoutModel(run, answer.reaction);
  }
}
