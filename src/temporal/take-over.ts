import type { Client } from '@temporalio/client';
import { failureTypes } from '../protocol/calls';
import { type AttemptRef, workflowId } from '../protocol/ids';

/**
 * What a worker tells Temporal about a dead predecessor, so that nobody waits for a heartbeat or a sticky queue to run
 * out. Each call is a hint: where it comes too late or finds nothing, the timeouts do the same more slowly.
 */

/** Ends the pending activity of a move whose execution is known to be dead (M9). */
export async function failActivity(client: Client, tenant: string, attempt: string, n: number): Promise<void> {
  await hint(
    client.workflowService.respondActivityTaskFailedById({
      namespace: client.options.namespace,
      workflowId: workflowId(tenant, attempt),
      activityId: `m${n}`,
      identity: 'holdfast take-over',
      failure: {
        message: 'The worker that had this call is gone.',
        applicationFailureInfo: { type: failureTypes.executionLost, nonRetryable: true },
      },
    }),
  );
}

/** The next workflow task goes to whoever polls, not to the dead worker's own queue. */
export async function forgetStickyQueue(client: Client, ref: AttemptRef): Promise<void> {
  await hint(
    client.workflowService.resetStickyTaskQueue({
      namespace: client.options.namespace,
      execution: { workflowId: workflowId(ref.tenant, ref.id) },
    }),
  );
}

async function hint(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch {
    // Not pending any more, or not reachable: the timeouts decide.
  }
}
