import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { type AttemptRef, workflowId } from '../protocol/ids';

/** How a workflow that should run was closed; undefined where it runs. Rejects where Temporal cannot be reached. */
export async function closedStatus(client: Client, ref: AttemptRef): Promise<string | undefined> {
  try {
    const { status } = await client.workflow.getHandle(workflowId(ref.tenant, ref.id)).describe();
    return status.name === 'RUNNING' ? undefined : status.name;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'NOT_FOUND';
    throw error;
  }
}
