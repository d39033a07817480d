import { judgeAnswer, requestMeant } from '../domain/policy/answer';
import { actionId, placeOf } from '../protocol/ids';
import type { Disposal } from './disposal';
import type { Approval, AttemptTx, InboxRow } from './ledger-port';
import type { PolicyPort } from './ports';
import { speakerOf } from './speaker';

type AnswerMessage = Extract<InboxRow, { kind: 'approve' | 'deny' }>;

/**
 * A person's answer to a request for approval (R5.3, R5.5): matched, judged and counted. `now`: the workflow's clock, ms.
 * `answered`: what earlier messages of this transaction made of requests, by action id; the outcome is put there.
 */
export async function answerRequest(
  policy: PolicyPort,
  tx: AttemptTx,
  now: number,
  { id, kind, body }: AnswerMessage,
  answered: Map<string, Approval>,
): Promise<Disposal> {
  const asked = (approval: Approval) => ({
    ...approval,
    action: actionId(tx.attempt.ref.id, approval.step, approval.index),
  });
  const newest = (approval: Approval) => {
    const request = asked(approval);
    return answered.has(request.action) ? asked(answered.get(request.action) ?? approval) : request;
  };
  const place = body.actionId === undefined ? undefined : placeOf(tx.attempt.ref.id, body.actionId);
  const named = place && (await tx.approval(place.step, place.index));
  const waiting = body.actionId === undefined ? await tx.waitingApprovals() : [];
  const open = waiting.map(newest).filter(({ state }) => state === 'open');
  const meant = requestMeant(body, named && newest(named), open);
  if ('why' in meant) return { kind: 'rejected', why: meant.why };

  const { request } = meant;
  const { by, reason } = body;
  const channel = body.channel ?? 'asserted';
  const judged = judgeAnswer(
    request,
    { ...body, answer: kind, channel },
    { now, ...(await speakerOf(policy, tx, by)) },
  );
  if (judged.kind === 'refused') return { kind: 'rejected', why: judged.why };
  const answer = { by, answer: kind, channel, ...(reason === undefined ? {} : { reason }), messageId: id };
  return {
    kind: 'taken',
    write() {
      tx.insertApprovalAnswer(request, answer);
      if (judged.state !== 'open') tx.closeApproval(request, judged.state);
      const payload = { action: request.action, answer: kind, by, channel, left: judged.left };
      tx.emit({ type: 'approval_answered', payload });
      answered.set(request.action, { ...request, state: judged.state, answers: [...request.answers, answer] });
    },
  };
}

/** Withdraws what still asks or was granted, of all actions or of those that `isOver` names (R5.3); says how many. */
export async function voidApprovals(
  tx: AttemptTx,
  isOver: (action: Pick<Approval, 'step' | 'index'>) => boolean = () => true,
): Promise<number> {
  const over = (await tx.waitingApprovals()).filter(isOver);
  for (const approval of over) {
    tx.closeApproval(approval, 'voided');
    const action = actionId(tx.attempt.ref.id, approval.step, approval.index);
    tx.emit({ type: 'approval_closed', payload: { action, as: 'voided' } });
  }
  return over.length;
}
