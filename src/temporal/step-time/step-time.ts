import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { quietRuntime } from '../quiet-runtime';
import type { TemporalTarget } from '../target';

/** Enough to see a limit of 20 a second, and over in two seconds where it is in force. */
const steps = 20;
/** A service in which twenty activities take longer than this has another trouble than its settings. */
const probeTimeoutMs = 20_000;

/**
 * Milliseconds that one trivial activity takes in this service, from one to the next: a worker and a workflow of their
 * own, on a task queue that nobody else polls. Rejects where they cannot run.
 */
export async function stepTimeMs(
  client: Client,
  { address, namespace, connection: credentials }: TemporalTarget,
): Promise<number> {
  quietRuntime();
  const connection = await NativeConnection.connect({ address, ...credentials });
  try {
    const taskQueue = `holdfast-doctor-${randomUUID()}`;
    const worker = await Worker.create({
      connection,
      namespace,
      taskQueue,
      workflowsPath: require.resolve('./probe-workflow'),
      activities: { nothing: async () => {} },
    });
    return await worker.runUntil(
      client.workflow.execute<(steps: number) => Promise<number>>('stepTimeProbe', {
        workflowId: taskQueue,
        taskQueue,
        args: [steps],
        workflowExecutionTimeout: probeTimeoutMs,
      }),
    );
  } finally {
    await connection.close();
  }
}
