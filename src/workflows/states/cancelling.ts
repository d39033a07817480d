import type { MessageKind } from '../../protocol/messages';
import { backoff } from '../calls/backoff';
import { settle } from '../calls/numbered';
import { cancelAskMaxMs, cancelAskMinMs, cancelPauseMaxMs, cancelPauseMinMs } from '../limits';
import { rest } from '../run/rest';
import type { Run } from '../run/run';
import type { CancellingRunState, RunState } from '../run/run-state';
import { stay } from '../run/stay';

/** What `settle` takes. */
const ends: readonly MessageKind[] = ['cancel', 'reconcile', 'effectSettled', 'childEnded'];

/**
 * Ends all that the ledger knows to run for this attempt, and then the attempt (M5, R11.3). It does not end while an effect of
 * its own is open (M8): it is looked at again, ever more rarely, until it is settled by whoever can tell.
 *
 *   I1  Whatever woke it, the next call is `settle` (M3).
 *   I2  Only a message that `settle` takes ends a wait early: others stay queued until the end, and would end each wait.
 */
export async function cancelling(run: Run, from: CancellingRunState): Promise<RunState> {
  for (let round = from.round + 1; ; round += 1) {
    const answer = await settle(run);
    if (answer.kind === 'ended') return { kind: answer.state, reason: answer.reason };
    const { ask } = stay(run, { kind: 'CANCELLING', round, ask: answer.ask });
    if (round === 1 && run.start.searchAttributes) run.host.publish('CANCELLING');
    const ms = ask
      ? backoff(run, round, cancelAskMinMs, cancelAskMaxMs)
      : backoff(run, round, cancelPauseMinMs, cancelPauseMaxMs);
    const taken = () => ends.some((kind) => run.mailbox.has(kind));
    await rest(run, { ms, why: 'before the open effect is looked at again', early: taken });
  }
}
