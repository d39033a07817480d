import type { Run } from '../run/run';
import type { RunState, WaitRunState } from '../run/run-state';
import { waitFor } from '../run/wait-for';

type Waiting = Extract<WaitRunState, { kind: 'WAITING_FOR_APPROVAL' }>;

/**
 * Until the request is granted, denied or expired; `act` then decides by what became of it, and authorises the action again
 * (R5.3). The timer is for the expiry, which the ledger judges by the time that the next look brings along.
 */
export function waitingForApproval(run: Run, state: Waiting): Promise<RunState> {
  return waitFor(run, state, () => state.expiresAt - run.host.now(), 'the approval expires');
}
