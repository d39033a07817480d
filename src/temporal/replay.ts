import { DefaultLogger, type History, ReplayError, Runtime, Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';

let installed = false;

/**
 * Replays one run's history on the workflow code of `bundlePath`. Undefined where it fits, else what differs. Rejects
 * where the replay could not be made. The first call silences the Temporal runtime of this process.
 */
export async function replayHistory(
  bundlePath: string,
  workflowId: string,
  history: History,
): Promise<string | undefined> {
  if (!installed) Runtime.install({ logger: new DefaultLogger('ERROR', () => {}) });
  installed = true;
  try {
    await Worker.runReplayHistory({ workflowBundle: { codePath: bundlePath } }, history, workflowId);
    return undefined;
  } catch (error) {
    if (error instanceof DeterminismViolationError || error instanceof ReplayError) return error.message;
    throw error;
  }
}
