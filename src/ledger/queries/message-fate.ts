import type { Pool } from 'pg';
import type { AttemptRef } from '../../protocol/ids';

/** What became of a message so far (M4). */
export type MessageFate =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'taken' }
  /** `why`: in words for whoever sent it. */
  | { readonly kind: 'rejected'; readonly why: string };

/** Throws where the attempt has no such message; rejects where the database cannot be reached. */
export async function messageFate(pool: Pool, ref: AttemptRef, id: string): Promise<MessageFate> {
  const { rows } = await pool.query<{ disposition: 'taken' | 'rejected' | null; why: string | null }>({
    name: 'message-fate',
    text: 'select disposition, why from inbox where attempt = $1 and id = $2',
    values: [ref.key, id],
  });
  const [row] = rows;
  if (row === undefined) throw new Error(`${ref.id} has no message ${id}`);
  if (row.disposition === null) return { kind: 'waiting' };
  return row.disposition === 'taken' ? { kind: 'taken' } : { kind: 'rejected', why: row.why ?? '' };
}
