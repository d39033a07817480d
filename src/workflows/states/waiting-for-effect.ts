import { backoff } from '../calls/backoff';
import { effectWaitMaxMs, effectWaitMinMs } from '../limits';
import type { Run } from '../run/run';
import type { RunState, WaitRunState } from '../run/run-state';
import { waitFor } from '../run/wait-for';

type Waiting = Extract<WaitRunState, { kind: 'WAITING_FOR_EFFECT' }>;

/**
 * Until nothing is open on the action's target (E7): whoever settles what is in the way wakes it, and the timer is for a lost
 * wake. Or until the action's own job is to be looked at, or says that it has ended (R15.2).
 */
export function waitingForEffect(run: Run, state: Waiting): Promise<RunState> {
  const { lookAt } = state;
  const sleepMs = (looks: number) => {
    const untilLookMs = (lookAt ?? 0) - run.host.now();
    return untilLookMs > 0 ? untilLookMs : backoff(run, looks, effectWaitMinMs, effectWaitMaxMs);
  };
  const what = lookAt === undefined ? 'the effect in the way is looked at again' : 'the job is asked how it goes';
  return waitFor(run, state, sleepMs, `before ${what}`);
}
