import type { Client } from '@temporalio/client';
import type { Pool } from 'pg';
import { markWorkflowStarted } from '../ledger/start-attempt';
import { halfStartedAttempts, unwokenMessages } from '../ledger/sweep';
import { startAttemptWorkflow } from '../temporal/start-workflow';
import { wakeAttempt } from '../temporal/wake';

/** Often enough that a half-done start is noticed at once, rare enough to cost nothing. */
const sweepMs = 2_000;

/** Finishes what clients left half done, again and again. Returns how to stop. */
export function startSweeper(pool: Pool, client: Client, onTrouble: (error: unknown) => void): () => Promise<void> {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const next = () => {
    if (stopped) return;
    timer = setTimeout(() => {
      running = sweep(pool, client).catch(onTrouble).finally(next);
    }, sweepMs);
  };
  next();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };
}

async function sweep(pool: Pool, client: Client): Promise<void> {
  for (const { ref, start } of await halfStartedAttempts(pool)) {
    await startAttemptWorkflow(client, ref, start);
    await markWorkflowStarted(pool, ref);
  }
  for (const { ref, id, kind } of await unwokenMessages(pool)) {
    if (kind !== 'unknown') await wakeAttempt(client, ref, kind, id);
  }
}
