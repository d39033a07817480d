import { setTimeout as sleep } from 'node:timers/promises';
import type { Contract } from '../domain/contract/contract';
import type { Answered, Call, CallAnswers } from '../protocol/calls';
import { voidApprovals } from './approvals';
import type { ActivityDeps } from './deps';
import { effectsAtEnd, lookAtOpenEffects } from './effects/open-effects';
import { endAttempt } from './end-attempt';
import { endCancelled } from './end-cancelled';
import { endJobs, hasJobs } from './jobs/end-jobs';
import type { AttemptTx } from './ledger-port';
import { numbered } from './numbered-call';

/** How often it is looked whether an execution elsewhere has ended. */
const pollMs = 100;
/**
 * Longer than a lease (3 s): after it, an execution that still counts as live makes this try fail, and it is called again.
 * With what comes before it and the looks after it, shorter than the workflow lets a settle take (a minute).
 */
const quietMaxMs = 4_000;

/**
 * Ends what the attempt owns and then the attempt (M5, R11.3). A cancel of a cancel changes nothing. Where the truth about an
 * effect stays open, so does the attempt (M8), and the workflow calls again.
 */
export function createSettle(deps: ActivityDeps) {
  return async (call: Call<'settle'>, signal: AbortSignal): Promise<Answered<'settle'>> => {
    const contract = await deps.ledger.contract(call.ref);
    const answered = await numbered<'settle', undefined, undefined>(deps, 'settle', call, signal, {
      takes: 'settling',
      workspace: true,
      async open(tx) {
        if (tx.attempt.ended) return { answer: await endAttempt(deps, tx, contract, 'CANCELLED', 'cancelled') };
        await voidApprovals(tx);
        tx.waitForEffect(undefined);
        return { work: undefined };
      },
      async work(_work, abort) {
        const { start } = await deps.ledger.attempt(call.ref);
        if (start.hasWorkspace) await deps.workspaces.killAll({ tenant: call.ref.tenant, attempt: call.ref.id });
        await untilQuiet(deps, call);
        await endJobs(deps, call, abort);
        await lookAtOpenEffects(deps, call.ref, call.n, abort);
        return undefined;
      },
      close: (tx) => close(deps, tx, contract),
    });
    deps.soon?.(); // children are to hear of it, or a parent
    return answered;
  };
}

async function close(deps: ActivityDeps, tx: AttemptTx, contract: Contract): Promise<CallAnswers['settle']> {
  const { effects, open } = await effectsAtEnd(tx);
  if (open.length === 0 && (await runsOn(tx))) return { kind: 'open', ask: false };
  if (open.length > 0)
    return { kind: 'open', ask: !open.some(({ tool }) => deps.tools.get(tool)?.effect === 'probed') };
  return endCancelled(deps, tx, contract, effects, tx.attempt.start.hasWorkspace);
}

/** Something of it runs elsewhere still (R11.3): a job, or a child, which was told to end. */
const runsOn = async (tx: AttemptTx) => (await hasJobs(tx)) || (await tx.openChildren()).some(({ ended }) => !ended);

async function untilQuiet(deps: ActivityDeps, call: Call<'settle'>): Promise<void> {
  for (let waitedMs = 0; waitedMs < quietMaxMs; waitedMs += pollMs) {
    const others = await deps.ledger.transact(call.ref, { n: call.n }, (tx) => tx.otherExecutions());
    if (others === 0) return;
    await sleep(pollMs);
  }
  throw new Error(`Something of ${call.ref.id} still runs elsewhere.`);
}
