import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common';
import type { AttemptInput, StartSnapshot } from '../protocol/attempt';
import { type AttemptRef, mainTaskQueue, workflowId } from '../protocol/ids';
import { searchAttributeNames } from '../protocol/search-attributes';

/**
 * How long a worker may be silent about a workflow task: after this its work is given to another, so it is most of what a
 * recovery takes in a burst of local activities, and a signal is seen in one at 80% of it. Replaying a run's hundred steps
 * takes a third of it on a busy machine; a task that is lost in the middle of that is replayed from the start.
 */
const workflowTaskTimeoutMs = 1_500;

export interface StartedWorkflow {
  readonly workflowId: string;
  /** Of the first run; undefined where the workflow had been started before and has ended. */
  readonly runId?: string;
}

/**
 * Starts the workflow of an attempt whose row is in the ledger, or finds it started: whoever calls it, and however
 * often, there is one. The caller marks the row afterwards. Rejects where Temporal cannot be reached.
 */
export async function startAttemptWorkflow(
  client: Client,
  ref: AttemptRef,
  start: StartSnapshot,
): Promise<StartedWorkflow> {
  const id = workflowId(ref.tenant, ref.id);
  const input: AttemptInput = { v: 1, ref, start };
  try {
    const handle = await client.workflow.start('attempt', {
      workflowId: id,
      taskQueue: mainTaskQueue,
      args: [input],
      workflowTaskTimeout: workflowTaskTimeoutMs,
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
      staticSummary: `${start.kind} ${ref.id}`,
      ...(start.searchAttributes && { typedSearchAttributes: searchAttributes(ref, start) }),
    });
    return { workflowId: id, runId: handle.firstExecutionRunId };
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return { workflowId: id };
    throw error;
  }
}

function searchAttributes(ref: AttemptRef, start: StartSnapshot): TypedSearchAttributes {
  const values = {
    [searchAttributeNames.tenant]: ref.tenant,
    [searchAttributeNames.task]: ref.id.slice(0, ref.id.lastIndexOf('/')),
    [searchAttributeNames.state]: 'CREATED',
    [searchAttributeNames.kind]: start.kind,
  };
  return new TypedSearchAttributes(
    Object.entries(values).map(([name, value]) => ({
      key: defineSearchAttributeKey(name, SearchAttributeType.KEYWORD),
      value,
    })),
  );
}
