import type { Client } from '@temporalio/client';
import type { Pool } from 'pg';
import { markWorkflowStarted } from '../ledger/start-attempt';
import { halfStartedAttempts, unwokenMessages } from '../ledger/sweep';
import { startAttemptWorkflow } from '../temporal/start-workflow';
import { wakeAttempt } from '../temporal/wake';
import { WakeSchedule } from './wake-schedule';

/** Often enough that a half-done start is noticed at once, rare enough to cost nothing. */
const sweepMs = 2_000;

/** Finishes what clients left half done, again and again. Returns how to stop. */
export function startSweeper(pool: Pool, client: Client, onTrouble: (error: unknown) => void): () => Promise<void> {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const wakes = new WakeSchedule();
  const next = () => {
    if (stopped) return;
    timer = setTimeout(() => {
      running = sweep(pool, client, wakes).catch(onTrouble).finally(next);
    }, sweepMs);
  };
  next();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };
}

async function sweep(pool: Pool, client: Client, wakes: WakeSchedule): Promise<void> {
  for (const { ref, start } of await halfStartedAttempts(pool)) {
    await startAttemptWorkflow(client, ref, start);
    await markWorkflowStarted(pool, ref);
  }
  const due = wakes.due(await unwokenMessages(pool), ({ ref, id }) => `${ref.key} ${id}`, performance.now());
  for (const { ref, id, kind } of due) {
    if (kind !== 'unknown') await wakeAttempt(client, ref, kind, id);
  }
}
