import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import { type AttemptRef, workflowId } from '../protocol/ids';

export interface RunHistory {
  readonly runId: string;
  readonly history: temporal.api.history.v1.IHistory;
}

/**
 * The histories of all runs of an attempt that Temporal still keeps, newest first: continue-as-new makes a run of about
 * every hundred steps. Empty where Temporal has no such workflow. Rejects where Temporal cannot be reached.
 */
export async function attemptHistories(client: Client, ref: AttemptRef): Promise<readonly RunHistory[]> {
  const id = workflowId(ref.tenant, ref.id);
  const runs: RunHistory[] = [];
  let runId: string | undefined;
  try {
    do {
      const handle = client.workflow.getHandle(id, runId);
      const history = await handle.fetchHistory();
      const started = history.events?.[0]?.workflowExecutionStartedEventAttributes;
      const thisRun: string = runId ?? (await handle.describe()).runId;
      runs.push({ runId: thisRun, history });
      runId = started?.continuedExecutionRunId || undefined;
    } while (runId !== undefined);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
  return runs;
}
