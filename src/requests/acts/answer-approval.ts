import { attemptStatus } from '../../ledger/queries/attempt-status';
import { type OpenApproval, openApprovals } from '../../ledger/queries/open-approvals';
import type { AttemptRef } from '../../protocol/ids';
import { type Outcome, outcomeOf } from '../messages/outcome-of';
import { refusedByPolicy } from '../messages/refused-by-policy';
import { rejectionOf } from '../messages/rejection';
import { type Taken, taken } from '../messages/taken';
import { actionNamed } from '../naming/action-name';
import { asking } from '../naming/asking';
import { channelOf, type Session } from '../session';

export interface AnswerRequest {
  readonly kind: 'approve' | 'deny';
  /** The action that asks; the one that waits where left out. */
  readonly action?: string | undefined;
  readonly reason?: string | undefined;
  /** What was looked at; the request that is open where left out. */
  readonly binding?: string | undefined;
}

export interface Answered extends Taken {
  /** The attempt that asked: the one that was named, or a descendant of it (R15.1). */
  readonly ref: AttemptRef;
  /** Sequence of its last event before. */
  readonly since: number;
  readonly actionId: string;
  /** As it stood before; undefined where none was open. */
  readonly request: OpenApproval | undefined;
  /** How many more have to approve. */
  readonly left: number;
  /** What an approval that was the last one needed came to. */
  readonly outcome: Outcome | undefined;
}

/** A person's yes or no to what an action is about to do (R5.3). It counts for the request that is open now, and for no other. */
export async function answerApproval(session: Session, root: AttemptRef, asked: AnswerRequest): Promise<Answered> {
  const { sender, pool } = session;
  const { kind, action, reason } = asked;
  const ref = await asking(session, root, action);
  const open = () => openApprovals(pool, { tenant: ref.tenant, attempt: ref.key });
  const requestOf = async (id: string) => (await open()).find((request) => request.actionId === id);
  const ids = (await open()).map(({ actionId }) => actionId);
  const actionId = actionNamed(ref, action, { ids, what: 'waits for an approval' });
  const request = await requestOf(actionId);
  const { sequence: since } = await attemptStatus(pool, ref);

  const binding = asked.binding ?? request?.binding;
  const body = {
    actionId,
    by: sender.name,
    ...(reason !== undefined && { reason }),
    ...(binding !== undefined && { binding }),
    ...channelOf(sender),
  };
  const refused = async (why: string) => {
    const given = { channel: 'asserted', ...body, answer: kind } as const;
    const policy = refusedByPolicy(await requestOf(actionId), given);
    return rejectionOf(session, ref, { kind, why, code: policy ? 'refused_by_policy' : 'rejected' });
  };
  const { messageId, fate } = await taken(session, ref, { kind, body }, refused);

  const now = fate === 'waiting' ? undefined : await requestOf(actionId);
  const left = now !== undefined && now.binding === request?.binding ? leftOf(now) : 0;
  const isLast = fate === 'taken' && kind === 'approve' && left === 0;
  const outcome = isLast ? await outcomeOf(session, ref, { messageId, actionId }) : undefined;
  return { ref, since, actionId, request, messageId, fate, left, outcome };
}

const leftOf = ({ needed, answers }: OpenApproval) =>
  needed - answers.filter(({ answer }) => answer === 'approve').length;
