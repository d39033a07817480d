import { type Effect, isOpen } from '../domain/effect/effect';
import { isDue } from '../domain/job/job';
import type { RecordArgs } from '../protocol/calls';
import { actionId } from '../protocol/ids';
import { isOverruled } from './goal-revised';
import type { JobRow } from './job-rows';
import type { AttemptTx } from './ledger-port';
import type { Taken } from './take-messages';

/** `ready`: indices of the actions whose jobs are to be looked at. */
export interface Over {
  readonly ready?: readonly number[];
}

/**
 * Whether what an action waits for is there, so that `act` decides again; it alone judges what was said or found (R5.3, E7,
 * R4.7). `now`: the workflow's clock, ms (M3). `said`: what the messages of this transaction have changed.
 */
export async function waitIsOver(
  tx: AttemptTx,
  { state, step, index }: Extract<RecordArgs, { at: 'wait' }>,
  now: number,
  said: Taken['said'],
): Promise<Over | undefined> {
  const action = actionId(tx.attempt.ref.id, step, index);
  switch (state) {
    case 'WAITING_FOR_APPROVAL':
      return (await isAnswered(tx, action, step, index, now, said)) ? {} : undefined;
    case 'WAITING_FOR_EFFECT': {
      const effect = await tx.waitedEffect();
      if (effect && isInTheWay(effect) && !isOverruled(tx, step)) return undefined; // what will not be done need not wait
      if (effect) tx.waitForEffect(undefined);
      return effect ? {} : await dueJobs(tx, step, now, said);
    }
    case 'RECONCILING': {
      const effect = said.effects.get(action) ?? (await tx.effectOf(step, index))?.effect;
      return effect?.phase === 'UNKNOWN' ? undefined : {};
    }
  }
}

/** The jobs and children of the step that are to be looked at, if it has any; undefined where there are some, and none of them is (R15). */
async function dueJobs(tx: AttemptTx, step: number, now: number, said: Taken['said']): Promise<Over | undefined> {
  const jobs = await tx.unobservedJobs(step);
  const children = (await tx.openChildren()).filter((child) => child.step === step);
  if (jobs.length + children.length === 0) return {};
  const asSaid = ({ index, ...job }: JobRow) =>
    said.jobs.get(actionId(tx.attempt.ref.id, step, index)) ?? { index, ...job };
  const due = [...jobs.map(asSaid).filter((job) => isDue(job, now)), ...children.filter(({ ended }) => ended)];
  return due.length === 0 ? undefined : { ready: due.map(({ index }) => index) };
}

/** Granted, denied, or expired; nobody has to answer a request that is over. */
async function isAnswered(
  tx: AttemptTx,
  action: string,
  step: number,
  index: number,
  now: number,
  said: Taken['said'],
): Promise<boolean> {
  const request = said.approvals.get(action) ?? (await tx.approval(step, index));
  if (request?.state !== 'open') return true;
  if (now < request.expiresAt) return false;
  tx.closeApproval(request, 'expired');
  tx.emit({ type: 'approval_closed', payload: { action, as: 'expired' } });
  return true;
}

/** E7: nobody may write to its target yet. */
const isInTheWay = (effect: Effect) => isOpen(effect) || (effect.phase === 'CLAIMED' && effect.ownerLive);
