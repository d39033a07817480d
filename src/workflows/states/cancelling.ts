import { settle } from '../calls/numbered';
import type { Run } from '../run/run';
import type { RunState } from '../run/run-state';

/** Ends all that the ledger knows to run for this attempt, and then the attempt (M5, R11.3). */
export async function cancelling(run: Run): Promise<RunState> {
  const { state, reason } = await settle(run);
  return { kind: state, reason };
}
