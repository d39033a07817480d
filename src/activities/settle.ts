import { setTimeout as sleep } from 'node:timers/promises';
import type { Answered, Call } from '../protocol/calls';
import type { ActivityDeps } from './deps';
import { endAttempt } from './end-attempt';
import { numbered } from './numbered-call';

/** How often it is looked whether an execution elsewhere has ended. */
const pollMs = 100;
/**
 * Longer than a lease (3 s): after it, an execution that still counts as live makes this try fail, and it is called again.
 * With what comes before it, shorter than the workflow lets a settle take (30 s).
 */
const quietMaxMs = 4_000;

/** Ends what the attempt owns and then the attempt (R11.3). A cancel of a cancel changes nothing. */
export function createSettle(deps: ActivityDeps) {
  return async (call: Call<'settle'>, signal: AbortSignal): Promise<Answered<'settle'>> => {
    const contract = await deps.ledger.contract(call.ref);
    return numbered<'settle', undefined, undefined>(deps, 'settle', call, signal, {
      takes: 'cancel',
      open: async (tx) =>
        tx.attempt.ended ? { answer: await endAttempt(tx, contract, 'CANCELLED', 'cancelled') } : { work: undefined },
      work: async () => {
        const start = (await deps.ledger.attempt(call.ref)).start;
        if (start.hasWorkspace) await deps.workspaces.killAll({ tenant: call.ref.tenant, attempt: call.ref.id });
        await untilQuiet(deps, call);
        return undefined;
      },
      close: (tx) => endAttempt(tx, contract, 'CANCELLED', 'cancelled'),
    });
  };
}

async function untilQuiet(deps: ActivityDeps, call: Call<'settle'>): Promise<void> {
  for (let waitedMs = 0; waitedMs < quietMaxMs; waitedMs += pollMs) {
    const others = await deps.ledger.transact(call.ref, { n: call.n }, (tx) => tx.otherExecutions());
    if (others === 0) return;
    await sleep(pollMs);
  }
  throw new Error(`Something of ${call.ref.id} still runs elsewhere.`);
}
