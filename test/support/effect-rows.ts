import type { Pool } from 'pg';
import type { AttemptRef } from '../../src/protocol/ids';
import { rowsOf } from './ledger-rows';

/** Rows of one attempt's effects and approvals as tests look at them. */

export interface EffectRow {
  step: number;
  index: number;
  key: string;
  generation: number;
  phase: string;
  fence: number;
  settled_by: string | null;
  outcome: string | null;
}
export function effectRows(pool: Pool, ref: AttemptRef): Promise<EffectRow[]> {
  return rowsOf(
    pool,
    ref,
    'select step, index, key, generation, phase, fence, settled_by, outcome from effects where attempt = $1 order by claimed_at',
  );
}

/** `body` holds what the kind says. */
export function evidenceRows(pool: Pool, ref: AttemptRef): Promise<{ kind: string; body: Record<string, unknown> }[]> {
  return rowsOf(pool, ref, 'select kind, body from effect_evidence where attempt = $1 order by id');
}

export function approvalRows(
  pool: Pool,
  ref: AttemptRef,
): Promise<{ index: number; ordinal: number; state: string; binding: string; answers: string[] }[]> {
  return rowsOf(
    pool,
    ref,
    `select index, ordinal, state, binding,
       (select coalesce(json_agg(by_name || ' ' || answer || ' ' || w.channel order by w.at), '[]') from approval_answers w
        where w.attempt = a.attempt and w.step = a.step and w.index = a.index and w.ordinal = a.ordinal) as answers
     from approvals a where attempt = $1 order by step, index, ordinal`,
  );
}

/** Lets the ledger's clock be `ms` further for all that was sent: what was under way is over. */
export async function agePast(pool: Pool, ref: AttemptRef, ms: number): Promise<void> {
  const client = await pool.connect();
  try {
    // As the owner of the tables: the application itself may not rewrite when a try began.
    await client.query('begin; set local role none');
    const values = [ref.key, ms];
    await client.query(`update effects set sent_at = sent_at - $2 * interval '1 ms' where attempt = $1`, values);
    await client.query(`update tool_tries set opened_at = opened_at - $2 * interval '1 ms' where attempt = $1`, values);
    await client.query('commit');
  } finally {
    client.release();
  }
}

/** What events of a type say, in order. */
export async function payloads(pool: Pool, ref: AttemptRef, type: string): Promise<Record<string, unknown>[]> {
  const rows = await rowsOf<{ type: string; payload: Record<string, unknown> }>(
    pool,
    ref,
    'select type, payload from events where attempt = $1 order by sequence',
  );
  return rows.filter((row) => row.type === type).map(({ payload }) => payload);
}
