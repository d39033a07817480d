import { type Effect, idempotencyKey, isOpen } from '../../domain/effect/effect';
import { isRunning } from '../../domain/job/job';
import { placeOf } from '../../protocol/ids';
import type { JobSettledBody } from '../../protocol/messages';
import type { Disposal } from '../disposal';
import { settleCompensated } from '../effects/compensated';
import type { JobRow } from '../job-rows';
import type { AttemptTx } from '../ledger-port';
import { noteLateSuccess } from './late-success';

/** What earlier messages of this transaction have said, by action id. */
export interface JobsSaid {
  readonly jobs: Map<string, JobRow>;
  readonly effects: Map<string, Effect>;
}

/**
 * The other side's own word that a job has ended (R15.2).
 *
 *   I1  Only who was given a token of that action by its send is heard; whoever guesses is told nothing of what there is.
 *   I2  A job ends once: a second word changes nothing.
 *   I3  It also proves that a send was taken of which nobody could tell (E4): that effect is COMMITTED from then on.
 */
export async function settleJob(tx: AttemptTx, now: number, body: JobSettledBody, said: JobsSaid): Promise<Disposal> {
  const { actionId: action, tokenHash, outcome, output = null, downstreamId } = body;
  const place = placeOf(tx.attempt.ref.id, action);
  if (!place || !(await tx.isJobToken(place, tokenHash)))
    return { kind: 'rejected', why: `No job of ${action} was given this token.` }; // I1
  const job = said.jobs.get(action) ?? (await tx.job(place));
  if (job) {
    if (!isRunning(job)) return { kind: 'rejected', why: `The job of ${action} has ended already (${job.state}).` }; // I2
    const ended = { ...job, state: outcome, output };
    said.jobs.set(action, ended);
    if (tx.attempt.state === 'CANCELLING' && outcome === 'succeeded') await noteLateSuccess(tx, place);
    return {
      kind: 'taken',
      write: () => {
        tx.changeJob(place, { state: outcome, output });
        tellEnd(tx, action, job.tool, outcome);
      },
    };
  }
  const own = await tx.effectOf(place.step, place.index);
  const effect = said.effects.get(action) ?? own?.effect;
  if (!effect) return { kind: 'rejected', why: `${action} has submitted nothing that a job could come from.` };
  if (!isOpen(effect)) return againstRecord(tx, action, effect, body);
  // Its send is under way: its answer says which job it is.
  if (effect.phase === 'SENT' && effect.ownerLive) return { kind: 'left' };
  const handle = downstreamId ?? effect.downstreamId ?? '';
  const committed = { phase: 'COMMITTED', settledBy: 'late' } as const;
  said.effects.set(action, { ...effect, ...committed });
  const name = idempotencyKey(tx.attempt.ref.tenant, effect);
  const told = { ...place, handle, effect: name, mine: true, state: outcome, output };
  const row = { ...told, polls: 0, nextPollAt: now, endsBy: now, cancelAsked: false };
  said.jobs.set(action, { ...row, tool: effect.tool });
  tx.addEvidence(effect, { kind: 'late', body: { said: 'COMMITTED', ...(handle !== '' && { downstreamId: handle }) } });
  tx.updateEffect(effect, effect.fence, {
    ...committed,
    committed: true,
    ...(handle !== '' && { downstreamId: handle }),
  }); // I3
  await settleCompensated(tx, true);
  return {
    kind: 'taken',
    write: () => {
      tx.emit({ type: 'effect_settled', payload: { action, effect: name, as: 'committed', by: 'late' } });
      tx.insert('jobs', { ...told, next_poll_at: now, ends_by: now });
      tellEnd(tx, action, effect.tool, outcome);
    },
  };
}

/** E4: a word of whoever was sent it against what is recorded changes nothing here, and a person must look. */
function againstRecord(tx: AttemptTx, action: string, effect: Effect, { outcome }: JobSettledBody): Disposal {
  if (effect.phase !== 'NOT_COMMITTED')
    return { kind: 'rejected', why: `What ${action} submitted is settled already (${effect.phase}).` };
  const name = idempotencyKey(tx.attempt.ref.tenant, effect);
  tx.addEvidence(effect, { kind: 'conflict', body: { said: 'COMMITTED', outcome } });
  tx.emit({ type: 'effect_conflict', payload: { action, effect: name, recorded: effect.phase, said: 'COMMITTED' } });
  return { kind: 'rejected', why: `${action} was recorded as not committed; this word is kept as a contradiction.` };
}

function tellEnd(tx: AttemptTx, action: string, tool: string, as: 'succeeded' | 'failed'): void {
  tx.emit({ type: 'job_ended', payload: { action, tool, as, by: 'callback' } });
}
