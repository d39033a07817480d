import type { Pool } from 'pg';
import type { AttemptRef } from '../../src/protocol/ids';

/** When each step's action was observed, ms since the epoch with microseconds, by step. */
export async function stepStamps(pool: Pool, ref: AttemptRef): Promise<number[]> {
  const { rows } = await pool.query<{ at: string }>(
    `select (extract(epoch from at) * 1000)::text as at from holdfast.observations where attempt = $1 order by step, index`,
    [ref.key],
  );
  return rows.map((row) => Number(row.at));
}
