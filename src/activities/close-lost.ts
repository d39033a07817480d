import type { EndState, Reason } from '../domain/attempt/states';
import { canonicalHash } from '../domain/canonical';
import type { CallAnswers } from '../protocol/calls';
import type { AttemptRef } from '../protocol/ids';
import type { ActivityDeps } from './deps';
import { effectsAtEnd, lookAtOpenEffects } from './effects/open-effects';
import { endAttempt } from './end-attempt';
import { endCancelled } from './end-cancelled';
import type { AttemptTx } from './ledger-port';
import { waits } from './messages';
import { takeMessages } from './take-messages';
import type { VersionDeps } from './versions-here';

type LostDeps = Pick<ActivityDeps, 'ledger' | 'workspaces' | 'artifacts'> & VersionDeps;

/**
 * Closes an attempt whose workflow was closed from outside, so that it does not wait for ever: nothing can move it any more.
 * `status` is Temporal's word for it. A workflow that Temporal does not know may be known to another Temporal, so that alone
 * closes nothing; a cancel does. While an effect of it is open, only a look at it or a person's word is taken (M8).
 */
export async function closeLost(deps: LostDeps, ref: AttemptRef, n: number, status: string): Promise<boolean> {
  const contract = await deps.ledger.contract(ref);
  const { start } = await deps.ledger.attempt(ref);
  if (start.hasWorkspace) await deps.workspaces.killAll({ tenant: ref.tenant, attempt: ref.id });
  const lost = await deps.ledger.transact(ref, { n }, async (tx) => {
    if (!(await endOf(tx, status))) return false;
    await takeMessages(deps, tx, { now: Date.now(), args: {} }, 'reconcile');
    return true;
  });
  if (!lost) return false;
  await lookAtOpenEffects(deps, ref, n, new AbortController().signal);
  return deps.ledger.transact(ref, { n }, async (tx) => {
    const end = await endOf(tx, status);
    const { effects, open } = await effectsAtEnd(tx);
    if (!end) return false;
    if (open.length > 0) {
      if (tx.messages.some(({ takenBy }) => takenBy === n)) answerSettle(tx, { kind: 'open', ask: true });
      return false;
    }
    tx.emit({ type: 'workflow_lost', payload: { status } });
    await takeMessages(deps, tx, { now: Date.now(), args: {} }, 'settling');
    const answer =
      end.state === 'CANCELLED'
        ? await endCancelled(deps, tx, contract, effects, start.hasWorkspace)
        : await endAttempt(deps, tx, contract, end.state, end.reason, effects);
    answerSettle(tx, answer);
    return true;
  });
}

/** The number is answered as the workflow's own call would be, so that nobody else can use it. */
function answerSettle(tx: AttemptTx, answer: CallAnswers['settle']): void {
  tx.answer('settle', canonicalHash({}), { answer, acked: tx.attempt.acked });
}

/** How it ends; undefined where it is not lost, or not yet. */
async function endOf(tx: AttemptTx, status: string): Promise<{ state: EndState; reason: Reason } | undefined> {
  if (tx.attempt.ended || tx.answered || (await tx.otherExecutions()) > 0) return undefined;
  if (waits(tx, 'cancel') || status === 'TERMINATED' || status === 'CANCELLED')
    return { state: 'CANCELLED', reason: 'cancelled' };
  return status === 'NOT_FOUND' ? undefined : { state: 'FAILED', reason: 'failed' };
}
