import { record } from '../calls/numbered';
import { afterRecord } from './next';
import { rest } from './rest';
import type { Run } from './run';
import type { RunState, WaitRunState } from './run-state';

/**
 * Waits for what the batch's first action needs, as `act` said it: nothing runs, nothing is billed, and no later action of
 * the batch runs (R5.4).
 *
 *   I1  Whatever woke it, a message or a timer, the next call is the same one with the next number, until an answer moves
 *       the state; expiry is judged in the call's transaction (M3).
 *   I2  It does not sleep while a message is queued (M4).
 *   I3  A long wait continues as new like any other pause; what is waited for goes along (R12.4).
 *
 * `sleepMs`: how long to sleep after so many looks that found nothing. `why` is shown beside the timer.
 */
export async function waitFor(
  run: Run,
  { kind, batch }: WaitRunState,
  sleepMs: (looks: number) => number,
  why: string,
): Promise<RunState> {
  const index = batch.actions[0]?.index;
  if (index === undefined) throw new Error(`${kind} has no action to wait for`);
  for (let looks = 1; ; looks += 1) {
    const answer = await record(run, { at: 'wait', state: kind, step: run.step, index });
    if (answer.kind === 'repair') throw new Error('A wait was answered with a repair');
    if (answer.kind !== 'none') return afterRecord(run, answer);
    await rest(run, { ms: sleepMs(looks), why, early: () => !run.mailbox.isEmpty });
  }
}
