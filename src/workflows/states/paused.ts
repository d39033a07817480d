import { record } from '../calls/numbered';
import { afterRecord } from '../run/next';
import { rest } from '../run/rest';
import type { Run } from '../run/run';
import type { PausedRunState, RunState } from '../run/run-state';

/**
 * WAITING_FOR_USER and SUSPENDED: nothing runs, nothing is billed, and only a message moves it.
 *
 *   I1  Whatever woke it, the next call is the same one with the next number, until an answer moves the state; so two
 *       decisions that are woken a different number of times still agree on every number (M3).
 *   I2  It does not sleep while a message is queued. A second decision of a lost task has all that the first one had, and
 *       from the start, so it makes at least as many of these calls, and waits for nothing that the first was woken by (M4).
 */
export async function paused(run: Run, state: PausedRunState): Promise<RunState> {
  const { kind, reason } = state;
  const keeps = kind === 'SUSPENDED' && state.resume !== undefined && 'batch' in state.resume;
  for (;;) {
    const answer = await record(run, { at: 'pause', state: kind, reason, ...(keeps && { keepsBatch: true }) });
    if (answer.kind === 'repair') throw new Error('A pause was answered with a repair');
    if (answer.kind !== 'none') return afterRecord(run, answer);
    await rest(run, { ms: Number.POSITIVE_INFINITY, why: 'a message', early: () => !run.mailbox.isEmpty });
  }
}
