import { isEnd } from '../../domain/attempt/states';
import { delegateTool } from '../../domain/child/child-contract';
import { settleShare } from '../../domain/child/share';
import type { Call, CallAnswers } from '../../protocol/calls';
import { actionId } from '../../protocol/ids';
import type { AttemptTx, ChildRow } from '../ledger-port';
import type { Opened } from '../numbered-call';
import { observe } from '../observe';
import { childPending } from './child-pending';
import type { ChildFound } from './child-result';

type Answer = CallAnswers['act'];

/** What `act` does for an action whose child was begun: reads what it came to, once it is over (R15.1). */
export interface ChildLook {
  readonly kind: 'child';
  readonly child: ChildRow;
}

/** The child's row says whether it is over, whatever message came or was lost. */
export const openChild = (call: Call<'act'>, child: ChildRow): Opened<Answer, ChildLook> =>
  child.ended ? { work: { kind: 'child', child } } : { answer: childPending(call, child.ref) };

/** Tells the model once, and has the parent's account take back what the child did not use (R6.4). */
export function closeChild(
  tx: AttemptTx,
  { step, index }: Call<'act'>['args'],
  { child }: ChildLook,
  { result, row }: ChildFound,
  text: string,
): Answer {
  const { state, reason, account, tainted, ref } = row;
  if (!isEnd(state) || reason === null) throw new Error(`${ref.id} has not ended.`);
  tx.update({ account: settleShare(tx.attempt.account, child.share, account) });
  const action = actionId(tx.attempt.ref.id, step, index);
  tx.emit({ type: 'child_ended', payload: { action, child: ref.id, state, reason } });
  const words = { of: { name: delegateTool, ...(tainted && { untrusted: true as const }) } };
  return observe(tx, { step, index }, words, result, text);
}
