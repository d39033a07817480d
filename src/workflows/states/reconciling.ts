import { backoff } from '../calls/backoff';
import { probe } from '../calls/numbered';
import { reconcileAskMaxMs, reconcileAskMinMs, reconcilePauseMaxMs, reconcilePauseMinMs } from '../limits';
import { looksBeforeAsking } from '../run/looks-before-asking';
import { stopped } from '../run/next';
import { rest } from '../run/rest';
import type { Run } from '../run/run';
import type { RunState, WaitRunState } from '../run/run-state';
import { stay } from '../run/stay';
import { waitFor } from '../run/wait-for';

type Reconciling = Extract<WaitRunState, { kind: 'RECONCILING' }>;

/**
 * Finds out what became of an effect that nobody can tell of: first by looking, ever more rarely, then by asking a person
 * (R4.7).
 *
 *   I1  Looks are counted over the action's life, so that sending and looking in turn comes to an end.
 *   I2  Nothing is sent from here: `act` decides again, once the effect is settled or a resend is permitted (E6).
 */
export async function reconciling(run: Run, from: Reconciling): Promise<RunState> {
  let state = from;
  while (!state.ask) {
    if (state.round >= looksBeforeAsking(actionOf(state))) {
      state = stay(run, { ...state, ask: true }); // I1
      break;
    }
    if (state.round > 0) await betweenLooks(run, state.round);
    const round = state.round + 1;
    const answer = await probe(run, actionOf(state), round);
    const batch = { ...state.batch, round };
    if (answer.kind === 'interrupted') {
      stay(run, { ...state, batch, round });
      return stopped(run, answer);
    }
    if (answer.kind === 'probed' && answer.next === 'act') return { kind: 'EXECUTING_TOOL', batch };
    state = stay(run, { ...state, batch, round, ask: answer.kind === 'gave_up' || answer.next === 'ask' });
  }
  const sleepMs = (looks: number) => backoff(run, looks, reconcileAskMinMs, reconcileAskMaxMs);
  return await waitFor(run, state, sleepMs, 'before the ledger is read again for a late answer');
}

/** A cancel, a suspension or a person's word is taken by the next look, so it need not wait for it. */
async function betweenLooks(run: Run, round: number): Promise<void> {
  await rest(run, {
    ms: backoff(run, round, reconcilePauseMinMs, reconcilePauseMaxMs),
    why: `before look ${round + 1} at the effect`,
    early: () => run.mailbox.hasStop || run.mailbox.has('reconcile') || run.mailbox.has('effectSettled'),
  });
}

function actionOf({ batch }: Reconciling) {
  const [action] = batch.actions;
  if (!action) throw new Error('RECONCILING has no action to look for');
  return action;
}
