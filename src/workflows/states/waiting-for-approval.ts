import { backoff } from '../calls/backoff';
import { expiredWaitMaxMs, expiredWaitMinMs } from '../limits';
import type { Run } from '../run/run';
import type { RunState, WaitRunState } from '../run/run-state';
import { waitFor } from '../run/wait-for';

type Waiting = Extract<WaitRunState, { kind: 'WAITING_FOR_APPROVAL' }>;

/**
 * Until the request is granted, denied or expired; `act` then decides by what became of it, and authorises the action again
 * (R5.3). The timer is for the expiry, which the ledger judges by the time that the next look brings along. A request that has
 * expired and is still waited for cannot be left here (a checkpoint of a newer Holdfast, R12.2): ever more rarely looked at.
 */
export function waitingForApproval(run: Run, state: Waiting): Promise<RunState> {
  const sleepMs = (looks: number) => {
    const leftMs = state.expiresAt - run.host.now();
    return leftMs > 0 ? leftMs : backoff(run, looks, expiredWaitMinMs, expiredWaitMaxMs);
  };
  return waitFor(run, state, sleepMs, 'the approval expires');
}
