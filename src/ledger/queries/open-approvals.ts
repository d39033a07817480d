import type { Pool } from 'pg';
import type { ApprovalAnswer } from '../../activities/ledger-port';
import type { Channel } from '../../domain/policy/policy';
import { actionId, attemptId } from '../../protocol/ids';
import { answersColumn } from '../effects/approvals';
import { type BodyRow, bodyText } from './body-text';
import type { Whose } from './whose';

/** A request that waits for an answer, with all that the answer would be about (R5.3). Times are ISO 8601, UTC. */
export interface OpenApproval {
  readonly attemptId: string;
  readonly actionId: string;
  readonly tool: string;
  /** As the model wrote them; null where they are long and kept elsewhere. */
  readonly args: string | null;
  readonly target: string;
  readonly binding: string;
  readonly rule: string;
  readonly policy: string;
  /** Names, or `role:<role>`; empty: whoever policy knows. */
  readonly approvers: readonly string[];
  readonly needed: number;
  readonly channel: Channel;
  readonly answers: readonly Pick<ApprovalAnswer, 'by' | 'answer' | 'channel'>[];
  readonly askedAt: string;
  readonly expiresAt: string;
}

interface Row extends Omit<OpenApproval, 'attemptId' | 'actionId' | 'args' | 'askedAt' | 'expiresAt'> {
  task: string;
  number: number;
  step: number;
  index: number;
  args: BodyRow;
  at: Date;
  expires_at: number;
}

const openQuery = `select a.task, a.number, p.step, p.index, p.tool, c.args, p.target, p.binding, p.rule, p.policy, p.approvers,
    p.needed, p.channel, ${answersColumn} as answers, p.at, p.expires_at
  from approvals p join attempts a on a.key = p.attempt
    join actions c on c.attempt = p.attempt and c.step = p.step and c.index = p.index
  where p.state = 'open' and a.ended_at is null and a.tenant = $1 and ($2::bigint is null or a.key = $2
    or exists (select from children k where k.child = a.key and k.root = $2))
  order by p.at, p.attempt, p.step, p.index`;

/** Requests that wait, the oldest first; those of an attempt, and of all that it delegated (R15.1). Rejects where the database cannot be reached. */
export async function openApprovals(pool: Pool, { tenant, attempt }: Whose): Promise<readonly OpenApproval[]> {
  const { rows } = await pool.query<Row>(openQuery, [tenant, attempt ?? null]);
  return rows.map((row) => {
    const id = attemptId(row.task, row.number);
    return {
      attemptId: id,
      actionId: actionId(id, row.step, row.index),
      tool: row.tool,
      args: bodyText(row.args),
      target: row.target,
      binding: row.binding,
      rule: row.rule,
      policy: row.policy,
      approvers: row.approvers,
      needed: row.needed,
      channel: row.channel,
      answers: row.answers.map(({ by, answer, channel }) => ({ by, answer, channel })),
      askedAt: row.at.toISOString(),
      expiresAt: new Date(row.expires_at).toISOString(),
    };
  });
}
