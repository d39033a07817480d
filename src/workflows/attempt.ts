import { CancellationScope } from '@temporalio/workflow';
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
  return await CancellationScope.nonCancellable(() => drive(run));
}
