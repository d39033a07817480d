import type { Pool, PoolClient } from 'pg';
import type { EndState, Reason } from '../domain/attempt/states';
import type { AttemptRef } from '../protocol/ids';
import type { Message } from '../protocol/messages';
import { inTransaction } from './in-transaction';
import { jsonParam } from './json';

export type InsertOutcome =
  | { readonly kind: 'stored' | 'duplicate' }
  /** M4: the attempt had ended before; nothing was stored. */
  | { readonly kind: 'ended'; readonly state: EndState; readonly reason: Reason };

/**
 * Stores a message for an attempt, which takes it in its next transaction; the caller then signals its id as a wake-up
 * (M4). The same id again is a duplicate, also after the end. Rejects where the database cannot be reached.
 */
export function insertMessage(pool: Pool, ref: AttemptRef, message: Message): Promise<InsertOutcome> {
  return inTransaction(pool, (client) => insertLocked(client, ref, message));
}

async function insertLocked(client: PoolClient, ref: AttemptRef, message: Message): Promise<InsertOutcome> {
  const { rows } = await client.query<{ state: EndState; reason: Reason; ended: boolean; known: boolean }>(
    `select state, reason, ended_at is not null as ended,
       exists (select 1 from inbox where attempt = $1 and id = $2) as known
     from attempts where key = $1 for update`,
    [ref.key, message.id],
  );
  const [attempt] = rows;
  if (attempt === undefined) throw new Error(`No attempt has the key ${ref.key}`);
  if (attempt.known) return { kind: 'duplicate' };
  if (attempt.ended) return { kind: 'ended', state: attempt.state, reason: attempt.reason };
  const { rowCount } = await client.query(
    'insert into inbox (attempt, id, kind, body) values ($1, $2, $3, $4) on conflict (attempt, id) do nothing',
    [ref.key, message.id, message.kind, jsonParam(message.body)],
  );
  return { kind: rowCount === 1 ? 'stored' : 'duplicate' };
}
