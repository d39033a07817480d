import type { EndState, Reason } from '../domain/attempt/states';
import { canonicalHash } from '../domain/canonical';
import type { AttemptRef } from '../protocol/ids';
import type { ActivityDeps } from './deps';
import { endAttempt } from './end-attempt';
import { cancelWaits, takeMessages } from './messages';

/**
 * Closes an attempt whose workflow was closed from outside, so that it does not wait for ever: nothing can move it any more.
 * `status` is Temporal's word for it. A workflow that Temporal does not know may be known to another Temporal, so that alone
 * closes nothing; a cancel does.
 */
export async function closeLost(
  deps: Pick<ActivityDeps, 'ledger' | 'workspaces'>,
  ref: AttemptRef,
  n: number,
  status: string,
): Promise<boolean> {
  const contract = await deps.ledger.contract(ref);
  const { start } = await deps.ledger.attempt(ref);
  if (start.hasWorkspace) await deps.workspaces.killAll({ tenant: ref.tenant, attempt: ref.id });
  return deps.ledger.transact(ref, { n }, async (tx) => {
    const end = endOf(status, cancelWaits(tx));
    if (tx.attempt.ended || tx.answered || !end || (await tx.otherExecutions()) > 0) return false;
    tx.emit({ type: 'workflow_lost', payload: { status } });
    takeMessages(tx, 'cancel');
    const answer = await endAttempt(tx, contract, end.state, end.reason);
    // The number is answered as the workflow's own would be, so that nobody else can use it.
    tx.answer('settle', canonicalHash({}), { answer, acked: tx.attempt.acked });
    return true;
  });
}

function endOf(status: string, cancel: boolean): { state: EndState; reason: Reason } | undefined {
  if (cancel || status === 'TERMINATED' || status === 'CANCELLED') return { state: 'CANCELLED', reason: 'cancelled' };
  return status === 'NOT_FOUND' ? undefined : { state: 'FAILED', reason: 'failed' };
}
