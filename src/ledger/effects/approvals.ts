import type { PoolClient } from 'pg';
import type { Approval, ApprovalAnswer, ApprovalKey, ApprovalState, NewApproval } from '../../activities/ledger-port';
import type { Channel } from '../../domain/policy/policy';
import type { Batch } from '../batch';

interface ApprovalColumns {
  step: number;
  index: number;
  ordinal: number;
  binding: string;
  rule: string;
  policy: string;
  tool: string;
  target: string;
  approvers: string[];
  needed: number;
  channel: Channel;
  expires_at: number;
  state: ApprovalState;
  answers: (Omit<ApprovalAnswer, 'reason'> & { reason: string | null })[];
}

export const answersColumn = `(select coalesce(json_agg(json_build_object('by', by_name, 'answer', answer, 'channel', channel,
      'reason', reason, 'messageId', message_id) order by at, by_name), '[]')
    from approval_answers w where w.attempt = p.attempt and w.step = p.step and w.index = p.index and w.ordinal = p.ordinal)`;
const approvalColumns = `p.step, p.index, p.ordinal, p.binding, p.rule, p.policy, p.tool, p.target, p.approvers, p.needed,
    p.channel, p.expires_at, p.state, ${answersColumn} as answers`;
const newestQuery = `select ${approvalColumns} from approvals p where attempt = $1 and step = $2 and index = $3
  order by ordinal desc limit 1`;
const waitingQuery = `select ${approvalColumns} from approvals p where attempt = $1 and state in ('open', 'granted')
  order by at, step, index, ordinal`;

/** The newest request of an action. */
export async function newestApproval(
  client: PoolClient,
  attempt: number,
  step: number,
  index: number,
): Promise<Approval | undefined> {
  const values = [attempt, step, index];
  const { rows } = await client.query<ApprovalColumns>({ name: 'approval', text: newestQuery, values });
  return rows[0] && approvalOfRow(rows[0]);
}

/** Requests that nobody has refused, withdrawn or used, oldest first. */
export async function waitingApprovals(client: PoolClient, attempt: number): Promise<readonly Approval[]> {
  const { rows } = await client.query<ApprovalColumns>({
    name: 'waiting-approvals',
    text: waitingQuery,
    values: [attempt],
  });
  return rows.map(approvalOfRow);
}

function approvalOfRow({ expires_at, answers, ...row }: ApprovalColumns): Approval {
  return {
    ...row,
    expiresAt: expires_at,
    answers: answers.map(({ reason, ...answer }) => ({ ...answer, ...(reason === null ? {} : { reason }) })),
  };
}

const nameOf = ({ step, index, ordinal }: ApprovalKey) => `${step}.${index}.${ordinal}`;

/** Requests that one transaction makes and closes: one write a row, for the writes of a batch see no other's. */
export class ApprovalWrites {
  private readonly inserted = new Map<string, NewApproval & { state: ApprovalState }>();
  private readonly closed = new Map<string, { key: ApprovalKey; state: ApprovalState }>();

  insert(row: NewApproval): void {
    this.inserted.set(nameOf(row), { ...row, state: 'open' });
  }

  close(key: ApprovalKey, state: ApprovalState): void {
    const fresh = this.inserted.get(nameOf(key));
    if (fresh) fresh.state = state;
    else this.closed.set(nameOf(key), { key, state });
  }

  writeTo(batch: Batch, attempt: number): void {
    for (const { terms, expiresAt, ...row } of this.inserted.values()) {
      batch.insert('approvals', {
        attempt,
        ...row,
        approvers: terms.approvers,
        needed: terms.approvals,
        channel: terms.channel,
        expires_at: expiresAt,
        decided_at: row.state === 'open' ? null : 'now',
      });
    }
    for (const { key, state } of this.closed.values()) {
      batch.add(
        `update approvals set state = $5, decided_at = clock_timestamp()
         where attempt = $1 and step = $2 and index = $3 and ordinal = $4`,
        [attempt, key.step, key.index, key.ordinal, state],
      );
    }
  }
}

export function insertAnswer(batch: Batch, attempt: number, key: ApprovalKey, answer: ApprovalAnswer): void {
  batch.insert('approval_answers', {
    attempt,
    step: key.step,
    index: key.index,
    ordinal: key.ordinal,
    by_name: answer.by,
    answer: answer.answer,
    channel: answer.channel,
    reason: answer.reason ?? null,
    message_id: answer.messageId,
  });
}
