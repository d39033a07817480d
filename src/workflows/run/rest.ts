import { carryOver } from './carry-over';
import { continueIfDue, leavesWorker } from './continue-as-new';
import { idle } from './idle';
import type { Run } from './run';

/** `ms`: infinite where only a message ends it. `why` is shown beside the timer. */
export interface Rest {
  readonly ms: number;
  readonly why: string;
  readonly early: () => boolean;
}

/**
 * Rests in a pause or a wait for `ms`, or until `early` holds; in a new run where one is due (R12.4). It makes no call, and
 * what ended it decides nothing (M3): the caller makes the same call after it, in this run or in the next one.
 */
export async function rest(run: Run, { ms, why, early }: Rest): Promise<void> {
  await continueIfDue(run, ms);
  const over = () => early() || leavesWorker(run);
  if (Number.isFinite(ms)) await idle(run, ms, why, over);
  else await run.host.until(over);
  if (leavesWorker(run)) await run.host.continueAsNew(carryOver(run));
}
