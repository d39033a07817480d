import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { type Child, startChild } from '../lib/child';
import type { BenchWorld } from '../lib/world';
import { bareTableSql } from './activities';
import { type BareSetup, bareTaskQueue } from './setup';
import type { BareLoop } from './workflows';

/** The same as an attempt's: it decides how soon a worker's death is noticed, and what a long burst is cut into. */
const workflowTaskTimeoutMs = 1_500;

export async function startBareWorker({
  admin,
  databaseUrl,
  address,
  namespace,
  modelUrl,
  dataDir,
}: BenchWorld): Promise<Child> {
  await admin.query(bareTableSql);
  const setup: BareSetup = { databaseUrl, address, namespace, modelUrl };
  return startChild(join(__dirname, 'worker.js'), setup, { logFile: join(dataDir, 'bare-worker.log') });
}

/** Runs one bare loop to its end; returns when each step was done, ms since the epoch. */
export async function runBareLoop(client: Client, loop: BareLoop): Promise<readonly number[]> {
  return await client.workflow.execute<(loop: BareLoop) => Promise<number[]>>('bareLoop', {
    workflowId: loop.loop,
    taskQueue: bareTaskQueue,
    args: [loop],
    workflowTaskTimeout: workflowTaskTimeoutMs,
  });
}
