import type { Pool } from 'pg';
import { leaseMs } from '../../protocol/lease';

/** Workers whose lease is good (M9): without one, nothing moves. Rejects where the database cannot be reached. */
export async function liveWorkers(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ live: number }>(
    `select count(*)::int as live from workers
     where ended_at is null and renewed_at > clock_timestamp() - make_interval(secs => $1)`,
    [leaseMs / 1_000],
  );
  return rows[0]?.live ?? 0;
}
