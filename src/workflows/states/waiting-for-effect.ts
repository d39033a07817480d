import { backoff } from '../calls/backoff';
import { effectWaitMaxMs, effectWaitMinMs } from '../limits';
import type { Run } from '../run/run';
import type { RunState, WaitRunState } from '../run/run-state';
import { waitFor } from '../run/wait-for';

type Waiting = Extract<WaitRunState, { kind: 'WAITING_FOR_EFFECT' }>;

/** Until nothing is open on the action's target (E7). Whoever settles what is in the way wakes it; the timer is for a lost wake. */
export function waitingForEffect(run: Run, state: Waiting): Promise<RunState> {
  const sleepMs = (looks: number) => backoff(run, looks, effectWaitMinMs, effectWaitMaxMs);
  return waitFor(run, state, sleepMs, 'before the effect in the way is looked at again');
}
