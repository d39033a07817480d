import { signalsPerRunMax, updatesPerRunMax, upgradeWaitMs } from '../limits';
import { carryOver } from './carry-over';
import type { Run } from './run';

/**
 * Begins a new run where this one is long (R12.4), or where its worker is to be another one (R12.2). Called between two
 * steps, and in a pause or a wait.
 *
 *   I1  It takes no number, and the next call is the same in either run, so it may look at the clock, at what is queued, at
 *       what the server suggests and at which worker runs it (M3).
 *   I2  Nothing pending is lost: what is queued goes along. Where it is too much for that, or where an update still waits
 *       for its answer, this run goes on: its next call takes both further.
 *   I3  A run that is held to a version of the worker makes room before it rests for long: what may have to be moved after
 *       days to code that is not written yet is then a history of one pause. Once a pause, for the next run has not moved.
 *
 * `restMs`: how long it is about to rest, 0 between two steps. Undefined where this run goes on; the promise never resolves.
 */
export function continueIfDue(run: Run, restMs = 0): Promise<never> | undefined {
  const due =
    run.stepsInRun >= run.start.stepsPerRun ||
    run.signalsInRun >= signalsPerRunMax ||
    run.updatesInRun >= updatesPerRunMax ||
    run.host.suggestsNewRun() ||
    wantsNewWorker(run) ||
    (run.host.isPinned() && run.movesInRun > 0 && restMs >= upgradeWaitMs); // I3
  if (!due || !mayContinue(run)) return undefined;
  return run.host.continueAsNew(carryOver(run));
}

/** Whether a rest ends at once for a new run on another version of the worker: nothing else would ever end it. */
export function leavesWorker(run: Run): boolean {
  return wantsNewWorker(run) && mayContinue(run);
}

/** Somebody asked for it, or the version that takes new runs has changed since this one began. */
function wantsNewWorker(run: Run): boolean {
  return run.upgradeAsked || (run.host.versionChanged() && !run.keptFromVersion);
}

const mayContinue = (run: Run) => run.mailbox.fitsOneFreight && run.host.handlersFinished();
