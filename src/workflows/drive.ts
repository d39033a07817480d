import type { AttemptResult } from '../protocol/attempt';
import { record } from './calls/numbered';
import { describe } from './messages/details';
import { move } from './run/move';
import type { Run } from './run/run';
import { type EndedRunState, isEnded } from './run/run-state';
import { nextState } from './states';

/** Moves the run from state to state until the attempt's row says that it ended. */
export async function drive(run: Run): Promise<AttemptResult> {
  run.host.show(describe(run)); // what an earlier run has shown went with it
  while (!isEnded(run.state)) move(run, await nextState(run, run.state));
  return await close(run, run.state);
}

/**
 * Returns what the row says (M8). A message that came after the end is named first, so that it is rejected in the ledger
 * and its sender told; every call after an end is this same one, so it may depend on what is queued (M3).
 */
async function close(run: Run, { kind, reason }: EndedRunState): Promise<AttemptResult> {
  while (!run.mailbox.isEmpty) await record(run, { at: 'flush' });
  await run.host.until(() => run.host.handlersFinished());
  return { state: kind, reason };
}
