import type { Pool } from 'pg';
import { type AttemptRef, actionId } from '../../protocol/ids';
import { type BodyRow, bodyText } from './body-text';

/** A write that was proposed and not let through (R5.2): denied, not answered in time, revoked, or withdrawn. */
export interface RefusedWrite {
  readonly actionId: string;
  readonly tool: string;
  /** As the model wrote them; null where they are long and kept elsewhere. */
  readonly args: string | null;
  /** `APPROVAL_VOIDED`: the request was withdrawn, and nobody asked again. */
  readonly code: string;
  readonly rule: string;
  readonly policy: string;
  /** Who said no; null where no person did. */
  readonly by: string | null;
  /** Of the person who said no; null where there is none, or none was given. */
  readonly reason: string | null;
  /** What the model was told, which of a revocation says who revoked what, and why. */
  readonly told: string | null;
  /** ISO 8601, UTC. */
  readonly at: string;
}

export interface RefusedWriteRow extends Omit<RefusedWrite, 'actionId' | 'args' | 'told'> {
  readonly step: number;
  readonly index: number;
  readonly args: BodyRow;
  readonly observation: BodyRow | null;
}

const places = `select d.step, (d.payload ->> 'index')::int as index, d.payload ->> 'code' as code, d.payload ->> 'rule' as rule,
        d.payload ->> 'policy' as policy, d.at from events d where d.attempt = a.key and d.type = 'action_denied'
      union all select p.step, p.index, 'APPROVAL_VOIDED', p.rule, p.policy, p.decided_at from approvals p
        where p.attempt = a.key and p.state = 'voided'
          and not exists (select 1 from approvals q where q.attempt = p.attempt and q.step = p.step and q.index = p.index
            and q.ordinal > p.ordinal)
          and not exists (select 1 from events d where d.attempt = a.key and d.type = 'action_denied' and d.step = p.step
            and (d.payload ->> 'index')::int = p.index)`;

/** Of attempt `a`: all of them as JSON, in the order of their actions. */
export const refusedWritesColumn = `(select coalesce(json_agg(json_build_object('step', r.step, 'index', r.index, 'tool', c.tool,
      'args', c.args, 'code', r.code, 'rule', r.rule, 'policy', r.policy, 'at', r.at, 'observation', o.body,
      'by', n.by_name, 'reason', n.reason) order by r.step, r.index), '[]')
    from (${places}) r join actions c on c.attempt = a.key and c.step = r.step and c.index = r.index
      left join observations o on o.attempt = a.key and o.step = r.step and o.index = r.index
      left join lateral (select w.by_name, w.reason from approval_answers w where w.attempt = a.key and w.step = r.step
        and w.index = r.index and w.answer = 'deny' order by w.ordinal desc, w.at desc limit 1) n on true
    where c.effect not in ('none', 'control', 'unknown') and (r.code <> 'APPROVAL_VOIDED' or o.ok is not true))`;

export function refusedWrite(ref: AttemptRef, row: RefusedWriteRow): RefusedWrite {
  const { step, index, args, observation, at, tool, code, rule, policy, by, reason } = row;
  return {
    actionId: actionId(ref.id, step, index),
    tool,
    args: bodyText(args),
    code,
    rule,
    policy,
    by,
    reason,
    told: observation && errorMessage(bodyText(observation)),
    at: new Date(at).toISOString(),
  };
}

/** Writes of an attempt that were refused, in the order of their actions. Rejects where the database cannot be reached. */
export async function refusedWrites(pool: Pool, ref: AttemptRef): Promise<readonly RefusedWrite[]> {
  const { rows } = await pool.query<{ refused: RefusedWriteRow[] }>(
    `select ${refusedWritesColumn} as refused from attempts a where a.key = $1`,
    [ref.key],
  );
  return (rows[0]?.refused ?? []).map((row) => refusedWrite(ref, row));
}

/** Of an observation that is an error; null of anything else. */
function errorMessage(text: string | null): string | null {
  try {
    const { error }: { error?: { message?: unknown } } = JSON.parse(text ?? '{}');
    return typeof error?.message === 'string' ? error.message : null;
  } catch {
    return null;
  }
}
