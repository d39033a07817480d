import { Client } from 'pg';
import type { Check } from './check';
import { defineCheck } from './define-check';

/** A database that is reachable connects well within this, also across regions. */
const connectTimeoutMs = 5_000;
/** Renewals come every 0.5 s and a lease is gone after 3 s (M9): a worker behind that does nothing that counts. */
const silentAfterMs = 3_000;

/** Whether any worker moves: attempts wait in silence where none does. */
export function checkWorker(databaseUrl: string): Check {
  const fix = 'The ledger does not say which workers live: run `holdfast up`, which makes its tables.';
  return defineCheck('worker', false, fix, async () => {
    const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: connectTimeoutMs });
    client.on('error', () => {}); // the query's own rejection says it
    try {
      await client.connect();
      const { rows } = await client.query<{ silent: number }>(
        `select (extract(epoch from clock_timestamp() - max(renewed_at)) * 1000)::float8 as silent
         from workers where ended_at is null having count(*) > 0`,
      );
      return judged(rows[0]?.silent);
    } finally {
      await client.end().catch(() => {});
    }
  });
}

function judged(silentMs: number | undefined) {
  if (silentMs !== undefined && silentMs < silentAfterMs) return { ok: true, found: 'renews its lease' };
  const found = silentMs === undefined ? 'none' : `silent for ${Math.round(silentMs / 1_000)} s`;
  return { ok: false, found, fix: 'Nothing moves without a worker: run `holdfast up`, or look into worker.log.' };
}
