import type { Pool } from 'pg';
import type { AttemptRef } from '../../protocol/ids';

/** What a message said: a say's text, a cancel's reason, the name of a signal that nobody knows. Null where it said nothing or is unknown. */
export async function messageWords(pool: Pool, ref: AttemptRef, id: string): Promise<string | null> {
  const { rows } = await pool.query<{ words: string | null }>({
    name: 'message-words',
    text: `select coalesce(body ->> 'text', body ->> 'reason', body ->> 'name') as words from inbox where attempt = $1 and id = $2`,
    values: [ref.key, id],
  });
  return rows[0]?.words ?? null;
}
