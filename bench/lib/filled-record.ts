import type { Pool } from 'pg';
import type { AttemptRef } from '../../src/protocol/ids';

/**
 * Rows of an attempt that went so many steps, one call each, as a worker leaves them: every fourth call failed, each for a
 * reason of its own; the first half are writes whose outcome is known, and a quarter was asked for and approved. Some two
 * hundred tokens of output a call.
 */
export async function fillRecord(admin: Pool, { key, tenant }: AttemptRef, steps: number): Promise<void> {
  const all = `from generate_series(1, ${steps}) k`;
  const statements = [
    `insert into steps (attempt, step, turn, stop, body, tokens)
     select $1, k, 1, '{"kind":"actions"}', jsonb_build_object('text', 'Putting order ' || k || '.'), 10 ${all}`,
    `insert into actions (attempt, step, index, call_id, tool, effect, args, args_hash)
     select $1, k, 0, 'call_' || k, 'put_order', 'idempotent', jsonb_build_object('text', '{"order":' || k || '}'), decode(md5(k::text), 'hex') ${all}`,
    `insert into observations (attempt, step, index, ok, body, tokens, failure_class)
     select $1, k, 0, k % 4 <> 0, jsonb_build_object('text', case when k % 4 = 0
       then json_build_object('ok', false, 'error', json_build_object('code', 'NO_STOCK', 'message', 'Order ' || k || ' has no stock'))::text
       else 'Order ' || k || ': ' || (select string_agg('item ' || i || ': ' || i * 7, ', ') from generate_series(0, 39) i) end),
       200, case when k % 4 = 0 then 'tool_business' end ${all}`,
    `insert into effects (tenant, key, generation, attempt, step, index, tool, class, target, args_hash, phase, fence, n, owner, rule, policy, sent_at, committed_at, downstream_id)
     select '${tenant}', 'put_order/' || $1::bigint || '/' || k, 1, $1, k, 0, 'put_order', 'idempotent', 'register', decode(md5(k::text), 'hex'), 'COMMITTED', 1, k,
       gen_random_uuid(), 'put', 'p', now(), now(), 'r' || k ${all} where k <= ${steps} / 2`,
    `insert into approvals (attempt, step, index, ordinal, binding, rule, policy, tool, target, approvers, needed, channel, expires_at, state, decided_at)
     select $1, k, 0, 1, 'b', 'put', 'p', 'put_order', 'register', '[]', 1, 'asserted', 0, 'spent', now() ${all} where k <= ${steps} / 4`,
    `update attempts set step = ${steps}, compact_after = 0 where key = $1`,
  ];
  for (const text of statements) await admin.query(text, text.includes('$1') ? [key] : []);
  await admin.query('analyze');
}
