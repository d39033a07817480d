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

const since = `(date_trunc('day', now() at time zone 'UTC') - ($2 - 1) * interval '1 day') at time zone 'UTC'`;

// Attempt by attempt, so that only tries of the tenant's are read, and of those that were under way in the period.
const costQuery = `select to_char(t.day, 'YYYY-MM-DD') as day, sum(t.cost)::float8 as cost, count(*)::int as attempts, sum(t.calls)::int as calls
  from attempts a, lateral (
    select date_trunc('day', opened_at at time zone 'UTC') as day, sum((coalesce(usage, reserved) ->> 'costMicroUsd')::bigint) as cost,
      count(*) as calls
    from model_tries where attempt = a.key and opened_at >= ${since} group by 1) t
  where a.tenant = $1 and (a.ended_at is null or a.ended_at >= ${since})
  group by t.day order by t.day desc`;

/** Days of the last `days` on which the tenant's attempts called a model, the newest first. */
export async function costByDay(pool: Pool, tenant: string, days: number): Promise<readonly DayCost[]> {
  const { rows } = await pool.query<{ day: string; cost: number; attempts: number; calls: number }>(costQuery, [
    tenant,
    days,
  ]);
  return rows.map(({ day, cost, attempts, calls }) => ({ day, costUsd: cost / microUsd, attempts, calls }));
}
