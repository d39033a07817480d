import type { Pool } from 'pg';
import type { StartSnapshot } from '../protocol/attempt';
import { type AttemptRef, attemptId } from '../protocol/ids';
import type { MessageKind } from '../protocol/messages';
import { tellSettled } from './effects/waits';
import { lostRacePrefix } from './races';
import { ledgerError } from './unavailable';

/** What a client leaves half done when it dies between the ledger and Temporal; any worker finishes it. */

/** A client that is alive starts its workflow well within this, ms. */
const halfStartedAfterMs = 2_000;
/** M4: a message that its sender signalled is taken long before this, ms. */
const unwokenAfterMs = 5_000;
/** One sweep does a bounded amount of work; the next does the rest. */
const sweepRowsMax = 100;

export interface HalfStarted {
  readonly ref: AttemptRef;
  readonly start: StartSnapshot;
}
interface AttemptKey {
  key: number;
  tenant: string;
  task: string;
  number: number;
}

/** Attempts that no workflow was started for; of children nobody but a worker starts one. */
export async function halfStartedAttempts(pool: Pool): Promise<readonly HalfStarted[]> {
  const rows = await query<AttemptKey & { start: { snapshot: StartSnapshot } }>(
    pool,
    `select key, tenant, task, number, start from attempts
     where ended_at is null and workflow_started_at is null
       and (created_at < clock_timestamp() - $1 * interval '1 ms' or start -> 'child' is not null) order by key limit $2`,
    [halfStartedAfterMs, sweepRowsMax],
  );
  return rows.map((row) => ({ ref: refOf(row), start: row.start.snapshot }));
}

/**
 * Messages that lie in the inbox of a running attempt although somebody should have woken it. That an effect is settled which
 * an attempt waits for (E7) is stored here first, and nobody else wakes it; nor whoever has lost a race (R15.1).
 */
export async function unwokenMessages(
  pool: Pool,
): Promise<readonly { ref: AttemptRef; id: string; kind: MessageKind }[]> {
  await storeSettled(pool);
  const rows = await query<AttemptKey & { id: string; kind: MessageKind }>(
    pool,
    `select a.key, a.tenant, a.task, a.number, i.id, i.kind from inbox i join attempts a on a.key = i.attempt
     where i.taken_by is null and a.ended_at is null
       and (i.kind in ('effectSettled', 'childEnded') or starts_with(i.id, $3) or i.at < clock_timestamp() - $1 * interval '1 ms') order by i.ordinal limit $2`,
    [unwokenAfterMs, sweepRowsMax, lostRacePrefix],
  );
  return rows.map((row) => ({ ref: refOf(row), id: row.id, kind: row.kind }));
}

async function storeSettled(pool: Pool): Promise<void> {
  try {
    await tellSettled(pool);
  } catch (error) {
    throw ledgerError(error);
  }
}

/** An attempt that does something says so more often than this, ms; those that do not may have lost their workflow. */
const quietAfterMs = 30_000;
/** Attempts that one sweep asks Temporal about; drawn at random, so that in time each is. */
const askedPerSweepMax = 50;

/** Open attempts of which nothing was heard for `quietMs`, with the number that follows their last move. */
export async function quietAttempts(
  pool: Pool,
  quietMs = quietAfterMs,
): Promise<readonly { ref: AttemptRef; nextMove: number }[]> {
  const rows = await query<AttemptKey & { next_move: number }>(
    pool,
    `select key, tenant, task, number, coalesce((select max(n) from moves where attempt = key), 0) + 1 as next_move
     from attempts a where ended_at is null and workflow_started_at is not null and
       (select at from events where attempt = a.key order by sequence desc limit 1) < clock_timestamp() - $1 * interval '1 ms'
     order by random() limit $2`,
    [quietMs, askedPerSweepMax],
  );
  return rows.map((row) => ({ ref: refOf(row), nextMove: row.next_move }));
}

/** Attempts that have begun and not ended. */
export async function openAttempts(pool: Pool): Promise<readonly AttemptRef[]> {
  const rows = await query<AttemptKey>(
    pool,
    'select key, tenant, task, number from attempts where ended_at is null and workflow_started_at is not null order by key',
    [],
  );
  return rows.map(refOf);
}

const refOf = (row: AttemptKey): AttemptRef => ({
  tenant: row.tenant,
  id: attemptId(row.task, row.number),
  key: row.key,
});

async function query<R extends object>(pool: Pool, text: string, values: unknown[]): Promise<R[]> {
  try {
    return (await pool.query<R>(text, values)).rows;
  } catch (error) {
    throw ledgerError(error);
  }
}
