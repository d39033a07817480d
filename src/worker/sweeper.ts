import type { Client } from '@temporalio/client';
import type { Pool } from 'pg';
import { closeLost } from '../activities/close-lost';
import type { ActivityDeps } from '../activities/deps';
import { settleLateChildren } from '../ledger/settle-late-child';
import { markWorkflowStarted } from '../ledger/start-attempt';
import { halfStartedAttempts, quietAttempts, unwokenMessages } from '../ledger/sweep';
import { tellChildren } from '../ledger/tell-children';
import { closedStatus } from '../temporal/closed-status';
import { startAttemptWorkflow } from '../temporal/start-workflow';
import { wakeAttempt } from '../temporal/wake';
import { WakeSchedule } from './wake-schedule';

/** Sweeps between two looks at attempts that are quiet: closing from outside is rare, and nothing is lost meanwhile. */
const lookEverySweeps = 8;

/** Often enough that a half-done start is noticed at once, rare enough to cost nothing. */
const sweepMs = 2_000;

/** Between a sweep that was asked for and the next: what several calls ask for at once is one sweep. */
const soonMs = 20;

export interface Sweeper {
  /** Sweeps now, or once more as soon as the present sweep is done. */
  soon(): void;
  stop(): Promise<void>;
}

/** Finishes what clients left half done, and what attempts have to tell each other, again and again. */
export function startSweeper(
  pool: Pool,
  client: Client,
  deps: ActivityDeps,
  onTrouble: (error: unknown) => void,
): Sweeper {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let sweeps = 0;
  let sweeping = false;
  let asked = false;
  const wakes = new WakeSchedule();
  const next = () => {
    if (stopped) return;
    timer = setTimeout(
      () => {
        sweeping = true;
        asked = false;
        sweeps += 1;
        const look = sweeps % lookEverySweeps === 0;
        running = sweep(pool, client, wakes)
          .then(() => (look ? closeLostOnes(pool, client, deps) : undefined))
          .catch(onTrouble)
          .finally(() => {
            sweeping = false;
            next();
          });
      },
      asked ? soonMs : sweepMs,
    );
  };
  next();
  return {
    soon() {
      if (asked) return;
      asked = true;
      if (sweeping) return;
      clearTimeout(timer);
      next();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

async function sweep(pool: Pool, client: Client, wakes: WakeSchedule): Promise<void> {
  for (const { ref, kind, id } of await tellChildren(pool)) await wakeAttempt(client, ref, kind, id);
  await settleLateChildren(pool);
  for (const { ref, start } of await halfStartedAttempts(pool)) {
    await startAttemptWorkflow(client, ref, start);
    await markWorkflowStarted(pool, ref);
  }
  const due = wakes.due(await unwokenMessages(pool), ({ ref, id }) => `${ref.key} ${id}`, performance.now());
  for (const { ref, id, kind } of due) {
    if (kind !== 'unknown') await wakeAttempt(client, ref, kind, id);
  }
}

/** Attempts whose workflow Temporal has closed, by whoever's hand, are closed here too. */
async function closeLostOnes(pool: Pool, client: Client, deps: ActivityDeps): Promise<void> {
  for (const { ref, nextMove } of await quietAttempts(pool)) {
    const status = await closedStatus(client, ref);
    if (status !== undefined) await closeLost(deps, ref, nextMove, status);
  }
}
