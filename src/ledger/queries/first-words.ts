import type { Pool } from 'pg';
import type { AttemptRef } from '../../protocol/ids';

/** What the user said first, with which the attempt began; null where it is kept elsewhere. Rejects where the database cannot be reached. */
export async function firstWords(pool: Pool, ref: AttemptRef): Promise<string | null> {
  const { rows } = await pool.query<{ words: string | null }>({
    name: 'first-words',
    text: `select body ->> 'text' as words from inputs where attempt = $1 and kind = 'message' and body ->> 'thread' is null
      order by ordinal limit 1`,
    values: [ref.key],
  });
  return rows[0]?.words ?? null;
}
