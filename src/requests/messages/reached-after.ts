import { setTimeout as sleep } from 'node:timers/promises';
import { type AttemptStatus, attemptStatus } from '../../ledger/queries/attempt-status';
import { isWorkedOn } from '../../ledger/queries/is-worked-on';
import type { AttemptRef } from '../../protocol/ids';
import type { Session } from '../session';

/** A limit that is still too low stops it at the next call, which comes within a tenth of a second. */
const reachedWaitMs = 3_000;
/** Two indexed reads. */
const pollMs = 50;

/** Where an attempt stands that was just resumed: at its next pause or end, or at work, whichever is seen first. */
export async function reachedAfter({ pool }: Pick<Session, 'pool'>, ref: AttemptRef): Promise<AttemptStatus> {
  for (const from = performance.now(); ; await sleep(pollMs)) {
    const status = await attemptStatus(pool, ref);
    if (status.settled || (await isWorkedOn(pool, ref)) || performance.now() - from > reachedWaitMs) return status;
  }
}
