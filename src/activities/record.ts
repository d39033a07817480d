import { chargeRepair, chargeTurn } from '../domain/budget/reserve';
import { completion } from '../domain/contract/completion';
import type { Contract } from '../domain/contract/contract';
import { feedbackText } from '../domain/contract/feedback';
import { sealedTests } from '../domain/contract/sealed';
import type { Answered, Call, CallAnswers, RecordArgs } from '../protocol/calls';
import { breakOff } from './break-off';
import { charge } from './budget';
import type { ActivityDeps } from './deps';
import { endAttempt } from './end-attempt';
import { enterPause, leavePause } from './enter-pause';
import { goOn, isUnheard } from './go-on';
import { isOverruled, revisionWaits } from './goal-revised';
import type { AttemptTx } from './ledger-port';
import { mayLeave } from './may-leave';
import { waits } from './messages';
import { numbered } from './numbered-call';
import { type MessageDeps, type Taken, takeMessages } from './take-messages';
import { tellModel } from './tell-model';
import type { VersionDeps } from './versions-here';
import { waitIsOver } from './wait-is-over';

type Answer = CallAnswers['record'];

/** Pauses, waits, repairs and ends, each one transaction (M3: limits and messages are judged here, not by what woke the workflow). */
export function createRecord(deps: ActivityDeps) {
  return async (call: Call<'record'>, signal: AbortSignal): Promise<Answered<'record'>> => {
    const contract = await deps.ledger.contract(call.ref);
    let isChild = false;
    const answered = await numbered<'record', never, never>(deps, 'record', call, signal, {
      takes: call.args.at === 'end' ? 'none' : 'all',
      open: async (tx, taken) => {
        isChild = tx.attempt.child !== null;
        const answer = await decide({ deps, tx, contract }, call, taken);
        return answer === 'busy' ? { busy: true } : { answer };
      },
      work: () => Promise.reject(new Error('A record has no work.')),
      close: () => Promise.reject(new Error('A record has no work.')),
    });
    if (isChild && call.args.at === 'end') deps.soon?.();
    return answered;
  };
}

/** What every record stands on. */
interface Scene {
  readonly deps: VersionDeps & MessageDeps;
  readonly tx: AttemptTx;
  readonly contract: Contract;
}

/** `busy`: another of those begun side by side is just ending (R15.1). */
async function decide(scene: Scene, { args, now }: Call<'record'>, taken: Taken): Promise<Answer | 'busy'> {
  const { tx, contract } = scene;
  if (args.at === 'end') return end(scene, args, now);
  if (tx.attempt.ended) return args.at === 'flush' ? { kind: 'none' } : { kind: 'cancel' };
  if (taken.cancel) return { kind: 'cancel' };
  if (args.at === 'pause' && args.state === 'SUSPENDED') return suspended(scene, args, taken);
  if (taken.suspend) return { kind: 'suspend' };
  switch (args.at) {
    case 'flush':
      return { kind: 'none' };
    case 'pause':
      return pause(scene, args);
    case 'wait':
      return wait(scene, args, now, taken);
    case 'repair':
      return repair(tx, args.candidate, contract);
  }
}

/** R3.5: success is what the evidence says, whatever the caller thinks. */
async function end(
  scene: Scene,
  { state, reason, candidate }: Extract<RecordArgs, { at: 'end' }>,
  now: number,
): Promise<Answer | 'busy'> {
  const { deps, tx, contract } = scene;
  if (state === 'COMPLETED' && !completion(contract, await tx.evidence(candidate)).met) {
    throw new Error(`Candidate ${candidate} does not meet the contract; it cannot complete the attempt.`);
  }
  // What a call took from the user and no model has heard is a reason to go on, for it may be the way out. A compensation
  // asks no model.
  const heard = tx.attempt.start.compensation !== undefined || !isUnheard(tx);
  if (state === 'FAILED' && !tx.attempt.ended && !heard && !(await isSealedOff(tx, contract, candidate)))
    return goOn(tx);
  if (state === 'COMPLETED' && talks(tx, contract)) {
    const said = await wordsBeforeEnd(scene, now);
    if (said) return said;
  }
  // With a workspace that was asked before the commit.
  if (state === 'COMPLETED' && contract.workspace === undefined) {
    const revised = await revisedBeforeEnd(scene, now);
    if (revised) return revised;
  }
  if (state === 'COMPLETED' && tx.attempt.start.race && !tx.attempt.ended) {
    const race = await tx.holdRace();
    if (race !== 'mine') return race === 'busy' ? race : { kind: 'cancel' };
  }
  return endAttempt(deps, tx, contract, state, reason);
}

/** R3.4: with a sealed test that is not met nothing goes on, for every other candidate would learn from that. */
async function isSealedOff(tx: AttemptTx, contract: Contract, candidate: number): Promise<boolean> {
  const sealed = sealedTests(contract);
  if (sealed.length === 0) return false;
  const evidence = await tx.evidence(candidate);
  return evidence.some(({ criterion, met }) => !met && sealed.some(({ id }) => id === criterion));
}

/** A dialog whose answer is all that it hands over, and which has a turn left. */
const talks = ({ attempt: { ended, start, account, limits } }: AttemptTx, contract: Contract) =>
  contract.kind === 'dialog' && !ended && !start.hasWorkspace && !start.compensation && chargeTurn(account, limits).ok;

/**
 * M8: a word that was stored before a dialog's end is the next turn of its Thread, which the attempt takes itself, with all
 * that it knows. Undefined: nobody has said anything.
 */
async function wordsBeforeEnd({ deps, tx }: Scene, now: number): Promise<Answer | undefined> {
  if (waits(tx, 'say')) {
    const stop = stopAnswer(await takeMessages(deps, tx, { now, args: {} }, 'all'));
    if (stop) return stop;
  }
  return isUnheard(tx) ? await goOn(tx) : undefined;
}

/**
 * R1.2: what was found for a goal that has been revised since is no end, nor is what was found before a word that a call took
 * from the user while the attempt was suspended (M8). Undefined: it was found for all that was said.
 */
async function revisedBeforeEnd({ deps, tx }: Scene, now: number): Promise<Answer | undefined> {
  if (tx.attempt.ended || tx.attempt.start.compensation) return undefined;
  if (revisionWaits(tx)) {
    const stop = stopAnswer(await takeMessages(deps, tx, { now, args: {} }, 'committing'));
    if (stop) return stop;
  }
  return isOverruled(tx, tx.attempt.step) || isUnheard(tx) ? await goOn(tx) : undefined;
}

const stopAnswer = ({ cancel, suspend }: Taken): Answer | undefined =>
  cancel ? { kind: 'cancel' } : suspend ? { kind: 'suspend' } : undefined;

type Pause = Extract<RecordArgs, { at: 'pause' }>;

async function pause({ deps, tx, contract }: Scene, { state, reason }: Pause): Promise<Answer> {
  const wakes = isUnheard(tx) && !tx.attempt.start.compensation;
  if (wakes && (await mayLeave(deps, tx, contract))) return goOn(tx);
  await enterPause(deps, tx, contract, state, reason);
  return { kind: 'none' };
}

/** Neither a suspension nor a budget is ended by a word, which is kept for the model; only by `resume` (R6.3). */
async function suspended({ deps, tx, contract }: Scene, args: Pause, { resume }: Taken): Promise<Answer> {
  if (!resume || !(await mayLeave(deps, tx, contract))) {
    await enterPause(deps, tx, contract, args.state, args.reason);
    return { kind: 'none' };
  }
  leavePause(tx);
  if (!args.keepsBatch) await breakOff(tx);
  return { kind: 'resume' };
}

async function wait(
  { deps, tx, contract }: Scene,
  args: Extract<RecordArgs, { at: 'wait' }>,
  now: number,
  { said }: Taken,
): Promise<Answer> {
  const over = await waitIsOver(tx, args, now, said);
  if (over && (await mayLeave(deps, tx, contract))) {
    leavePause(tx);
    return { kind: 'go', ...(over.ready && { ready: over.ready }) };
  }
  await enterPause(deps, tx, contract, args.state, waitReasons[args.state]);
  return { kind: 'none' };
}

/** R2.3 */
const waitReasons = {
  WAITING_FOR_APPROVAL: 'paused_for_approval',
  WAITING_FOR_EFFECT: 'waiting_for_effect',
  RECONCILING: 'reconcile_required',
} as const;

async function repair(tx: AttemptTx, candidate: number, contract: Contract): Promise<Answer> {
  const over = charge(tx, chargeRepair(tx.attempt.account, tx.attempt.limits, await tx.kinRepairs()));
  if (over) return over;
  const evidence = await tx.evidence(candidate);
  const findings = evidence.map(({ criterion, met, body }) => ({
    criterion,
    met,
    detail: body.detail,
    ...(body.output === undefined ? {} : { output: body.output }),
  }));
  const { account, limits } = tx.attempt;
  const text = feedbackText(contract.acceptance, findings, { repairs: account.repairs, maxRepairs: limits.maxRepairs });
  tellModel(tx, text);
  tx.emit({ type: 'repair_requested', payload: { candidate, unmet: completion(contract, evidence).unmet } });
  return { kind: 'repair' };
}
