import { reviseGoal } from '../domain/contract/revise-goal';
import type { Effect } from '../domain/effect/effect';
import { failed } from '../domain/failure/failed';
import { whyUnheard } from '../domain/policy/why-unheard';
import type { Call, CallAnswers } from '../protocol/calls';
import { actionId } from '../protocol/ids';
import type { Disposal } from './disposal';
import { giveBack } from './effects/give-back';
import type { Approval, AttemptTx, InboxRow } from './ledger-port';
import { observeUnrun } from './observe-refusal';
import type { PolicyPort } from './ports';
import { speakerOf } from './speaker';

/**
 * A goal that is revised while the attempt works (R1.2).
 *
 *   I1  A revision is a new version of the contract, in the transaction that takes the message. Whatever was approved was
 *       approved under the old one, so every request that waits or was granted is void.
 *   I2  What was proposed before it and has sent nothing is not done any more; the model is told so, and decides anew.
 *   I3  What was sent stays sent: its outcome is found out as ever.
 *   I4  A candidate of a step that was proposed before it is neither committed nor the end; one that was committed before it
 *       is, and the revision came too late.
 */

type Say = Extract<InboxRow, { kind: 'say' }>;

/** `hear`: writes the message as an input. `approvals`: what this transaction's messages made of requests so far. */
export async function takeRevision(
  policy: PolicyPort,
  tx: AttemptTx,
  { id, body: { text, by } }: Say,
  approvals: Map<string, Approval>,
  hear: () => void,
): Promise<Disposal> {
  const refused = (why: string): Disposal => ({ kind: 'rejected', why: `${why} The goal stands as it was.` });
  if (tx.attempt.start.compensation) return refused('It undoes an effect, and has no other goal.');
  const speaker = await speakerOf(policy, tx, by ?? '');
  if (by === undefined && speaker.hasPrincipals) return refused('Nobody says who revises it; name them with "by".');
  const unheard = whyUnheard(by ?? '', speaker);
  if (unheard !== undefined) return refused(unheard);
  const revised = reviseGoal(await tx.contract(), text);
  if (!revised.ok) return refused(revised.why);
  const contractVersion = await tx.newContract(revised.contract);
  const waiting = (await tx.waitingApprovals()).filter((request) =>
    isWaiting(approvals.get(idOf(tx, request)) ?? request),
  );
  return {
    kind: 'taken',
    write() {
      hear();
      tx.update({ contractVersion, revisedAfterStep: tx.attempt.step });
      tx.emit({ type: 'goal_revised', payload: { contractVersion, messageId: id } });
      for (const request of waiting) {
        const action = idOf(tx, request);
        tx.closeApproval(request, 'voided'); // I1
        tx.emit({ type: 'approval_closed', payload: { action, as: 'voided' } });
        approvals.set(action, { ...(approvals.get(action) ?? request), state: 'voided' });
      }
    },
  };
}

const idOf = (tx: AttemptTx, { step, index }: Approval) => actionId(tx.attempt.ref.id, step, index);
const isWaiting = ({ state }: Approval) => state === 'open' || state === 'granted';

export const isRevision = (message: InboxRow): boolean => message.kind === 'say' && message.body.revise === true;

/** Whether somebody has revised the goal in a message that no transaction has taken yet. */
export const revisionWaits = (tx: AttemptTx): boolean =>
  tx.messages.some((message) => message.takenBy === null && isRevision(message));

/** Whether a candidate, or an action of this step, was proposed for a goal that has been revised since. */
export const isOverruled = ({ attempt }: AttemptTx, step: number): boolean =>
  attempt.revisedAfterStep !== null && step <= attempt.revisedAfterStep;

/** I2. `own`: the effect of which the action has the key, nothing of which was sent. */
export function refuseOverruled(
  policy: PolicyPort,
  tx: AttemptTx,
  { step, index }: Call<'act'>['args'],
  tool: string,
  own: Effect | undefined,
): Extract<CallAnswers['act'], { kind: 'denied' }> {
  if (own?.phase === 'CLAIMED') giveBack(tx, own);
  const { error, failure } = failed(
    { class: 'policy_denied', code: 'GOAL_REVISED' },
    `The user revised the goal before ${tool} was called; nothing of this call was done.`,
    'Look at the revised goal and decide anew.',
  );
  // No error of the tool, which was not asked: its errors in a row stay what they are.
  observeUnrun(
    tx,
    { step, index },
    { ok: false, text: JSON.stringify({ ok: false, error }), failureClass: failure.class },
  );
  tx.emit({
    type: 'action_denied',
    payload: { index, tool, code: 'GOAL_REVISED', rule: 'goal-revised', policy: policy.version },
  });
  return { kind: 'denied', code: 'GOAL_REVISED' };
}
