import type { Pool } from 'pg';
import type { AttemptRef } from '../../protocol/ids';

/** Whether somebody works on the attempt now, for which what limits let it was looked at. Rejects where the database cannot be reached. */
export async function isWorkedOn(pool: Pool, ref: AttemptRef): Promise<boolean> {
  const { rows } = await pool.query<{ works: boolean }>({
    name: 'worked-on',
    text: 'select exists (select 1 from executions where attempt = $1 and finished_at is null) as works',
    values: [ref.key],
  });
  return rows[0]?.works ?? false;
}
