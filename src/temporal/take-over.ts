import type { Client } from '@temporalio/client';
import { failureTypes } from '../protocol/calls';
import { type AttemptRef, workflowId } from '../protocol/ids';

/**
 * What a worker tells Temporal about a dead predecessor, so that nobody waits for a heartbeat or a sticky queue to run
 * out. Each call is a hint: where it comes too late or finds nothing, the timeouts do the same more slowly.
 */

/** A call under way as a worker had it. */
export interface HeldCall {
  readonly tenant: string;
  readonly attemptId: string;
  readonly n: number;
  /** Of the worker, as Temporal knows it. */
  readonly heldBy: string;
}

/**
 * Ends the pending activity of a move whose execution is known to be dead (M9), where the dead worker is the last that had it: a
 * repeat has the same id, and is a successor's from the moment that the heartbeat was missed.
 */
export async function failActivity(client: Client, { tenant, attemptId, n, heldBy }: HeldCall): Promise<void> {
  const activity = { workflowId: workflowId(tenant, attemptId), activityId: `m${n}` };
  await hint(async () => {
    const { raw } = await client.workflow.getHandle(activity.workflowId).describe();
    const pending = raw.pendingActivities?.find(({ activityId }) => activityId === activity.activityId);
    if (pending?.lastWorkerIdentity !== heldBy) return;
    await client.workflowService.respondActivityTaskFailedById({
      ...activity,
      namespace: client.options.namespace,
      identity: 'holdfast take-over',
      failure: {
        message: 'The worker that had this call is gone.',
        applicationFailureInfo: { type: failureTypes.executionLost, nonRetryable: true },
      },
    });
  });
}

/** The next workflow task goes to whoever polls, not to the dead worker's own queue. */
export async function forgetStickyQueue(client: Client, ref: AttemptRef): Promise<void> {
  await hint(() =>
    client.workflowService.resetStickyTaskQueue({
      namespace: client.options.namespace,
      execution: { workflowId: workflowId(ref.tenant, ref.id) },
    }),
  );
}

async function hint(call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch {
    // Not pending any more, or not reachable: the timeouts decide.
  }
}
