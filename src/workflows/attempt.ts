import { CancellationScope, TemporalFailure } from '@temporalio/workflow';
import type { AttemptInput, AttemptResult } from '../protocol/attempt';
import { drive } from './drive';
import { handle } from './messages/handlers';
import { openRun } from './run/run';
import { temporalHost } from './temporal-host';

/**
 * One try at a Task, as one workflow (R1.1). State first, then handlers, which only queue, then work; all of it where a
 * native cancellation cannot break a call off (M5).
 */
export async function attempt(input: AttemptInput): Promise<AttemptResult> {
  const run = openRun(input, temporalHost());
  handle(run);
  try {
    return await CancellationScope.nonCancellable(() => drive(run));
  } catch (error) {
    // Whatever comes this far is a bug. Temporal would let a failure of its own kind end the workflow.
    if (error instanceof TemporalFailure)
      throw new Error(`A failure that nobody handled: ${error.message}`, { cause: error });
    throw error;
  }
}
