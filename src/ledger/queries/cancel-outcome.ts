import type { Pool } from 'pg';
import type { EventContent } from '../../protocol/events';
import type { AttemptRef } from '../../protocol/ids';

/** What a cancel came to (R11.2). */
export type CancelOutcome = Extract<EventContent, { type: 'cancel_settled' }>['payload'];

/** Undefined where no cancel has been settled. Rejects where the database cannot be reached. */
export async function cancelOutcome(pool: Pool, ref: AttemptRef): Promise<CancelOutcome | undefined> {
  const { rows } = await pool.query<{ payload: CancelOutcome }>(
    `select payload from events where attempt = $1 and type = 'cancel_settled' order by sequence desc limit 1`,
    [ref.key],
  );
  return rows[0]?.payload;
}
