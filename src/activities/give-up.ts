import { setTimeout as sleep } from 'node:timers/promises';
import { canonicalHash } from '../domain/canonical';
import { type Effect, isOpen } from '../domain/effect/effect';
import { isRunning } from '../domain/job/job';
import type { Answered, Call, CallKind, GaveUp, GiveUpArgs } from '../protocol/calls';
import { closeLostModelTry } from './close-lost-model-try';
import type { ActivityDeps } from './deps';
import { giveBack } from './effects/give-back';
import { markUnknown } from './effects/unknown';
import { ExecutionLostError } from './errors';
import { endOfJob } from './jobs/act-on-job';
import type { AttemptTx } from './ledger-port';
import { awaitedIds, landRiders, namedMessages } from './messages';
import { observeRefusal, type Refusal } from './observe-refusal';

/** How often it is looked whether the last execution of the number has ended. */
const pollMs = 200;
/** Several leases: an execution that still counts as live then makes this call fail, and it is called again. */
const waitMaxMs = 20_000;

/** M2: answers a number that no execution answered, once none of them is alive; or returns the answer that stands. */
export function createGiveUp(deps: ActivityDeps) {
  return async ({ call, kind, code }: GiveUpArgs): Promise<Answered> => {
    for (let waitedMs = 0; waitedMs < waitMaxMs; waitedMs += pollMs) {
      const answered = await deps.ledger.transact(call.ref, { n: call.n, awaited: awaitedIds(call) }, async (tx) => {
        if (tx.answered) return tx.answered.answered;
        if (tx.execution?.live) return undefined;
        // Messages are stored and left for the next call, which knows what they mean.
        landRiders(tx, call);
        tx.emit({ type: 'gave_up', payload: { move: call.n, kind, code } }, 'operator');
        const answer = await closeOpen(tx, kind, call, code);
        const named = namedMessages(tx, call.n, awaitedIds(call));
        const answered: Answered = { answer, ...(named.length > 0 ? { named } : {}), acked: tx.attempt.acked };
        tx.answer(kind, canonicalHash(call.args), answered);
        return answered;
      });
      if (answered) return answered;
      await sleep(pollMs);
    }
    throw new ExecutionLostError(`An execution of move ${call.n} of ${call.ref.id} is still alive.`);
  };
}

/** Closes what an execution left open, and says what is to be done about it. */
async function closeOpen(tx: AttemptTx, kind: CallKind, call: Call, code: string): Promise<GaveUp> {
  if (kind === 'think' || kind === 'compact') {
    const { step, try: tryNumber } = (call as Call<'think' | 'compact'>).args;
    await closeLostModelTry(tx, step, tryNumber);
  }
  if (kind === 'commit' && tx.attempt.start.race) await tx.leaveRace();
  return kind === 'act' ? closeAct(tx, call as Call<'act'>, code) : { kind: 'gave_up', code };
}

/**
 * What may have taken effect outside is reconciled (R4.5), and the model waits for what that finds. Any other action gets its
 * observation here: the model must see an answer.
 */
async function closeAct(tx: AttemptTx, call: Call<'act'>, code: string): Promise<GaveUp> {
  const { step, index, try: tryNumber } = call.args;
  const effect = (await tx.effectOf(step, index))?.effect;
  const unknown = effect !== undefined && isOpen(effect);
  const open = await tx.toolTry(step, index, tryNumber);
  if (open && !open.closed) {
    const outcome = unknown ? 'unknown' : 'lost';
    tx.closeToolTry({ step, index, try: tryNumber, execution: open.execution }, { outcome });
  }
  if (unknown) {
    markUnknown(tx, call.ref, effect, code);
    return { kind: 'gave_up', code, unknown: true };
  }
  if (effect?.phase === 'CLAIMED') giveBack(tx, effect);
  const job = effect && (await tx.job({ step, index }));
  if (job && isRunning(job)) endOfJob(tx, job, 'failed', 'limit'); // nobody asks it any more
  observeRefusal(tx, { step, index }, lost(effect, job?.handle));
  return { kind: 'gave_up', code };
}

function lost(effect: Effect | undefined, handle: string | undefined): Refusal {
  const refusal = (what: string, suggestedAction: string): Refusal => ({
    code: 'TOOL_LOST',
    message: `The runtime could not finish this call; ${what}.`,
    suggestedAction,
  });
  const look = 'Look at the state of things before you go on.';
  if (!effect) return refusal('what it did is not known', look);
  if (handle !== undefined)
    return refusal(`its job was submitted as ${handle}, and nobody could find out how it goes`, look);
  if (effect.sentAt === null) return refusal('nothing of it was sent', 'Call it again if it is still wanted.');
  if (effect.phase === 'NOT_COMMITTED') return refusal('it took no effect', 'Call it again if it is still wanted.');
  return refusal('it took effect, and what it answered is not known', look);
}
