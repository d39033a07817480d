import { randomUUID } from 'node:crypto';
import { defaultLimits } from '../../../src/domain/budget/account';
import { revoke } from '../../../src/ledger/effects/revocations';
import { insertMessage } from '../../../src/ledger/inbox';
import { leaseRenewMs, registerWorker } from '../../../src/ledger/leases';
import { createLedger } from '../../../src/ledger/ledger';
import { startAttempt } from '../../../src/ledger/start-attempt';
import type { ContractWorld, StoredEvent } from '../contract/contract-world';
import { contract, freshLedger, started, startRequest } from './ledger';

const renewQuery = 'update workers set renewed_at = clock_timestamp() where id = $1 and ended_at is null';

/** The contract's world on a PostgreSQL database of its own. */
export async function openPostgresWorld(): Promise<ContractWorld> {
  const { pool, close } = await freshLedger();
  const renewals = new Set<NodeJS.Timeout>();
  let tasks = 0;
  return {
    port: () => createLedger(pool),
    async attempt(change = {}) {
      tasks += 1;
      const ref = await started(pool, {
        tenant: change.tenant ?? 'default',
        task: change.task ?? `task-${tasks}`,
        contract: { ...contract, ...change.contract },
        limits: { ...defaultLimits, ...change.limits },
        input: change.input ?? 'Please.',
        versions: change.versions ?? {},
        by: change.by ?? '',
        beside: true,
      });
      if (change.forkedFrom)
        await pool.query(
          `update attempts set start = start || jsonb_build_object('forkedFrom', $2::jsonb) where key = $1`,
          [ref.key, JSON.stringify(change.forkedFrom)],
        );
      return ref;
    },
    async race(of) {
      tasks += 1;
      const outcome = await startAttempt(pool, startRequest({ task: `race-${tasks}`, attempts: of }));
      return (outcome.kind === 'created' && outcome.race?.map(({ ref }) => ref)) || [];
    },
    async worker(workspaceHost) {
      const lease = await registerWorker(pool, randomUUID(), {
        pid: process.pid,
        pidStarted: 'contract',
        workspaceHost,
      });
      // Executions of these tests are in no process's memory, so only the lease itself is renewed.
      const renewal = setInterval(() => void pool.query(renewQuery, [lease.id]), leaseRenewMs);
      renewals.add(renewal);
      return {
        id: lease.id,
        async end() {
          clearInterval(renewal);
          await lease.end();
        },
      };
    },
    async send(ref, message) {
      await insertMessage(pool, ref, message);
    },
    revoke: (tenant, revocation) => revoke(pool, tenant, revocation),
    async events(ref) {
      const { rows } = await pool.query<StoredEvent>(
        `select sequence, move, k, type, turn, step, visibility, payload from events where attempt = $1 order by sequence`,
        [ref.key],
      );
      return rows;
    },
    async close() {
      for (const renewal of renewals) clearInterval(renewal);
      await close();
    },
  };
}
