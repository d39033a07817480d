import type { Pool } from 'pg';

/** What the model calls of one day, by UTC, came to. */
export interface DayCost {
  /** `2026-11-30`. */
  readonly day: string;
  readonly costUsd: number;
  /** Attempts that called a model on it. */
  readonly attempts: number;
  readonly calls: number;
}

const microUsd = 1_000_000;

const costQuery = `select to_char(t.opened_at at time zone 'UTC', 'YYYY-MM-DD') as day,
    sum((coalesce(t.usage, t.reserved) ->> 'costMicroUsd')::bigint)::float8 as cost,
    count(distinct t.attempt)::int as attempts, count(*)::int as calls
  from model_tries t join attempts a on a.key = t.attempt
  where a.tenant = $1 and t.opened_at >= (date_trunc('day', now() at time zone 'UTC') - ($2 - 1) * interval '1 day') at time zone 'UTC'
  group by 1 order by 1 desc`;

/** Days of the last `days` on which the tenant's attempts called a model, the newest first. */
export async function costByDay(pool: Pool, tenant: string, days: number): Promise<readonly DayCost[]> {
  const { rows } = await pool.query<{ day: string; cost: number; attempts: number; calls: number }>(costQuery, [
    tenant,
    days,
  ]);
  return rows.map(({ day, cost, attempts, calls }) => ({ day, costUsd: cost / microUsd, attempts, calls }));
}
