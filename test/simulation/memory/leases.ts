import { randomUUID } from 'node:crypto';
import { leaseMs } from '../../../src/protocol/lease';
import type { MemoryLedger } from './ledger';

/** An execution that its process does not know is taken for lost only after this long, for it may be about to begin, ms. */
const youngMs = 1_000;

/** M9: a lease of a process. */
export function registerInMemory({ tables, now }: MemoryLedger, workspaceHost?: string): string {
  const id = randomUUID();
  tables.workers.set(id, { id, renewedAt: now(), ended: false, ...(workspaceHost !== undefined && { workspaceHost }) });
  return id;
}

/** Renews a lease and ends executions that are not in `alive`; false where the lease had ended. */
export function renewInMemory({ tables, now }: MemoryLedger, id: string, alive: readonly string[]): boolean {
  for (const { executions } of tables.attempts.values()) {
    for (const [n, execution] of executions) {
      const gone = execution.worker === id && !execution.finished && !alive.includes(execution.id);
      if (gone && execution.startedAt < now() - youngMs) executions.set(n, { ...execution, finished: true });
    }
  }
  const worker = tables.workers.get(id);
  if (!worker || worker.ended) return false;
  const ended = worker.renewedAt <= now() - leaseMs;
  tables.workers.set(id, ended ? { ...worker, ended } : { ...worker, renewedAt: now() });
  return !ended;
}

export function endLeaseInMemory({ tables }: MemoryLedger, id: string): void {
  const worker = tables.workers.get(id);
  if (worker) tables.workers.set(id, { ...worker, ended: true });
}
