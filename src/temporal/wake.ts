import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { type AttemptRef, workflowId } from '../protocol/ids';
import { signalNames } from '../protocol/messages';

/**
 * Tells a workflow that a message waits in its inbox (M4). A workflow that is not there yet, or has ended, is no error:
 * the message is a row, and whoever decides about the attempt sees it.
 */
export async function wakeAttempt(
  client: Client,
  ref: AttemptRef,
  kind: keyof typeof signalNames,
  messageId: string,
): Promise<void> {
  try {
    await client.workflow.getHandle(workflowId(ref.tenant, ref.id)).signal(signalNames[kind], { messageId });
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return;
    throw error;
  }
}
