import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { Executions } from '../activities/executions';
import { ownProcess } from '../embedded/process/process-identity';
import { type Lease, leaseRenewMs, registerWorker } from '../ledger/leases';

export interface LeaseLoop {
  /** Id of the lease in force. */
  id(): string;
  stop(): Promise<void>;
}

/** Keeps this process's lease (M9). A lease that was lost is not revived: the next one has a new id. */
export async function holdLease(
  pool: Pool,
  executions: () => Executions,
  onTrouble: (error: unknown) => void,
  workspaceHost?: string,
): Promise<LeaseLoop> {
  const own = ownProcess();
  const register = () => registerWorker(pool, randomUUID(), { pid: own.pid, pidStarted: own.startedAt, workspaceHost });
  let lease: Lease = await register();
  let running: Promise<void> = Promise.resolve();
  const renew = async () => {
    try {
      if (!(await lease.renew(executions().ids()))) lease = await register();
    } catch (error) {
      onTrouble(error);
    }
  };
  // One renewal at a time: a slow database must not pile them up.
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    running = renew().finally(() => {
      busy = false;
    });
  }, leaseRenewMs);
  return {
    id: () => lease.id,
    async stop() {
      clearInterval(timer);
      await running;
      await lease.end().catch(onTrouble);
    },
  };
}
