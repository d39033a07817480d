import { hostname } from 'node:os';
import type { Pool } from 'pg';
import { leaseMs } from '../protocol/lease';
import { ledgerError } from './unavailable';

/** M9: six chances before a lease is lost. */
export const leaseRenewMs = 500;

/** A worker's lease. `id` changes when the lease was lost: a lease that has ended is never revived (M9). */
export interface Lease {
  readonly id: string;
  /** Renews at once; ends executions that are not in `alive`. False where the lease had ended: register again. */
  renew(alive: readonly string[]): Promise<boolean>;
  end(): Promise<void>;
}

/** Registers this process under a new lease. `workspaceHost`: the host whose workspaces it holds, where there are several. */
export async function registerWorker(
  pool: Pool,
  id: string,
  process: { pid: number; pidStarted: string; workspaceHost?: string | undefined },
): Promise<Lease> {
  await run(pool, 'insert into workers (id, host, pid, pid_started, workspace_host) values ($1, $2, $3, $4, $5)', [
    id,
    hostname(),
    process.pid,
    process.pidStarted,
    process.workspaceHost ?? null,
  ]);
  return {
    id,
    async renew(alive) {
      const rows = await run(
        pool,
        `with lease as (
           update workers set renewed_at = clock_timestamp()
           where id = $1 and ended_at is null and renewed_at > clock_timestamp() - $2 * interval '1 ms' returning id),
         gone as (
           update executions set finished_at = clock_timestamp()
           where worker = $1 and finished_at is null and id <> all($3::uuid[]) and started_at < clock_timestamp() - interval '1 s')
         select id from lease`,
        [id, leaseMs, alive],
      );
      if (rows.length > 0) return true;
      await run(pool, 'update workers set ended_at = clock_timestamp() where id = $1 and ended_at is null', [id]);
      return false;
    },
    async end() {
      await run(pool, 'update workers set ended_at = clock_timestamp() where id = $1 and ended_at is null', [id]);
    },
  };
}

export interface OrphanExecution {
  readonly tenant: string;
  readonly attemptId: string;
  readonly n: number;
  readonly kind: string;
  /** Of the process that is gone. */
  readonly pid: number;
  readonly pidStarted: string;
}

/**
 * Ends the leases of workers of this host whose process is gone, and returns what they were working on, so that a
 * successor need not wait for a time to pass.
 */
export async function endDeadWorkers(
  pool: Pool,
  isAlive: (pid: number, pidStarted: string) => boolean,
): Promise<{ ended: number; orphans: OrphanExecution[] }> {
  const workers = await run(pool, 'select id, pid, pid_started from workers where host = $1 and ended_at is null', [
    hostname(),
  ]);
  const dead = workers
    .filter((worker) => !isAlive(Number(worker['pid']), String(worker['pid_started'])))
    .map((worker) => String(worker['id']));
  if (dead.length === 0) return { ended: 0, orphans: [] };
  const orphans = await run(
    pool,
    `with ended as (update workers set ended_at = clock_timestamp() where id = any($1::uuid[]) returning id, pid, pid_started)
     select a.tenant, a.task || '/' || a.number as "attemptId", e.n, e.kind, ended.pid, ended.pid_started
     from executions e join ended on ended.id = e.worker join attempts a on a.key = e.attempt where e.finished_at is null`,
    [dead],
  );
  return { ended: dead.length, orphans: orphans.map(orphanExecution) };
}

function orphanExecution(row: Record<string, unknown>): OrphanExecution {
  return {
    tenant: String(row['tenant']),
    attemptId: String(row['attemptId']),
    n: Number(row['n']),
    kind: String(row['kind']),
    pid: Number(row['pid']),
    pidStarted: String(row['pid_started']),
  };
}

async function run(pool: Pool, text: string, values: unknown[]): Promise<Record<string, unknown>[]> {
  try {
    return (await pool.query<Record<string, unknown>>(text, values)).rows;
  } catch (error) {
    throw ledgerError(error);
  }
}
