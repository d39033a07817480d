import { signalsPerRunMax, updatesPerRunMax } from '../limits';
import { carryOver } from './carry-over';
import type { Run } from './run';

/**
 * Begins a new run where this one is long (R12.4). Called between two steps, and in a pause or a wait.
 *
 *   I1  It takes no number, and the next call is the same in either run, so it may look at the clock, at what is queued and
 *       at what the server suggests (M3).
 *   I2  Nothing pending is lost: what is queued goes along. Where it is too much for that, or where an update still waits
 *       for its answer, this run goes on: its next call takes both further.
 *
 * Undefined where this run goes on; the promise never resolves.
 */
export function continueIfDue(run: Run): Promise<never> | undefined {
  const due =
    run.stepsInRun >= run.start.stepsPerRun ||
    run.signalsInRun >= signalsPerRunMax ||
    run.updatesInRun >= updatesPerRunMax ||
    run.host.suggestsNewRun();
  if (!due || !run.mailbox.fitsOneFreight || !run.host.handlersFinished()) return undefined;
  return run.host.continueAsNew(carryOver(run));
}
