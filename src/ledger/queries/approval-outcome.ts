import type { Pool } from 'pg';
import type { ApprovalState } from '../../activities/ledger-port';
import type { AttemptState } from '../../domain/attempt/states';
import type { EventContent } from '../../protocol/events';
import { type AttemptRef, placeOf } from '../../protocol/ids';

export type VersionChange = Extract<EventContent, { type: 'version_changed' }>['payload'];

/** What became of an answer that was counted, and of the action that it was about. */
export interface ApprovalOutcome {
  /** Of the request that was answered. */
  readonly state: ApprovalState;
  /** A later request of the same action, which waits for an answer; null where there is none. */
  readonly again: { readonly binding: string; readonly rule: string; readonly policy: string } | null;
  /** The action has run, or was refused; null before. `code`: why it was refused. */
  readonly observed: { readonly ok: boolean; readonly denied: string | null } | null;
  readonly attempt: AttemptState;
  /** Rule and policy that asked. */
  readonly rule: string;
  readonly policy: string;
  /** What was noticed to be another version since it was asked for (R12.2). */
  readonly changes: readonly VersionChange[];
}

const outcomeQuery = `select p.state, p.rule, p.policy, a.state as attempt,
    (select json_build_object('binding', n.binding, 'rule', n.rule, 'policy', n.policy) from approvals n
     where n.attempt = p.attempt and n.step = p.step and n.index = p.index and n.ordinal > p.ordinal and n.state = 'open') as again,
    (select json_build_object('ok', o.ok, 'denied',
       (select e.payload ->> 'code' from events e where e.attempt = o.attempt and e.move >= i.taken_by and e.type = 'action_denied' and e.step = o.step
          and (e.payload ->> 'index')::int = o.index order by e.sequence desc limit 1))
     from observations o where o.attempt = p.attempt and o.step = p.step and o.index = p.index) as observed,
    (select coalesce(json_agg(e.payload order by e.sequence), '[]') from events e
     where e.attempt = a.key and e.type = 'version_changed' and e.at >= p.at) as changes
  from inbox i join attempts a on a.key = i.attempt
    join approval_answers w on w.attempt = i.attempt and w.message_id = i.id
    join approvals p on p.attempt = w.attempt and p.step = w.step and p.index = w.index and p.ordinal = w.ordinal
  where i.attempt = $1 and i.id = $2 and p.step = $3 and p.index = $4`;

/** Of the answer that a message gave; undefined where it was counted for no request. Rejects where the database cannot be reached. */
export async function approvalOutcome(
  pool: Pool,
  ref: AttemptRef,
  { messageId, actionId }: { readonly messageId: string; readonly actionId: string },
): Promise<ApprovalOutcome | undefined> {
  const place = placeOf(ref.id, actionId);
  if (place === undefined) return undefined;
  const { rows } = await pool.query<ApprovalOutcome>({
    name: 'approval-outcome',
    text: outcomeQuery,
    values: [ref.key, messageId, place.step, place.index],
  });
  return rows[0];
}
