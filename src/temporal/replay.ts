import { type History, ReplayError, Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { quietRuntime } from './quiet-runtime';

/**
 * Replays one run's history on the workflow code of `bundlePath`. Undefined where it fits, else what differs. Rejects
 * where the replay could not be made. The first call silences the Temporal runtime of this process.
 */
export async function replayHistory(
  bundlePath: string,
  workflowId: string,
  history: History,
): Promise<string | undefined> {
  quietRuntime();
  try {
    await Worker.runReplayHistory({ workflowBundle: { codePath: bundlePath } }, history, workflowId);
    return undefined;
  } catch (error) {
    if (error instanceof DeterminismViolationError || error instanceof ReplayError) return error.message;
    throw error;
  }
}
