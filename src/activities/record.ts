import { chargeRepair, chargeTurn } from '../domain/budget/reserve';
import { completion } from '../domain/contract/completion';
import type { Contract } from '../domain/contract/contract';
import { feedbackText } from '../domain/contract/feedback';
import { failed } from '../domain/failure/failed';
import type { Answered, Call, CallAnswers, RecordArgs } from '../protocol/calls';
import { charge } from './budget';
import { writeCheckpoint } from './checkpoint';
import type { ActivityDeps } from './deps';
import { endAttempt } from './end-attempt';
import type { AttemptTx } from './ledger-port';
import { numbered } from './numbered-call';

type Answer = CallAnswers['record'];

/** Pauses, repairs and ends, each one transaction (M3: limits and messages are judged here, not by what woke the workflow). */
export function createRecord(deps: ActivityDeps) {
  return async (call: Call<'record'>, signal: AbortSignal): Promise<Answered<'record'>> => {
    const contract = await deps.ledger.contract(call.ref);
    return numbered<'record', never, never>(deps, 'record', call, signal, {
      takes: call.args.at === 'end' ? 'none' : 'all',
      open: async (tx, { cancel }) => ({ answer: await decide(tx, call.args, contract, cancel) }),
      work: () => Promise.reject(new Error('A record has no work.')),
      close: () => Promise.reject(new Error('A record has no work.')),
    });
  };
}

async function decide(tx: AttemptTx, args: RecordArgs, contract: Contract, cancel: boolean): Promise<Answer> {
  if (args.at === 'end') return end(tx, args, contract);
  if (tx.attempt.ended) return args.at === 'flush' ? { kind: 'none' } : { kind: 'cancel' };
  if (cancel) return { kind: 'cancel' };
  switch (args.at) {
    case 'flush':
      return { kind: 'none' };
    case 'pause':
      return pause(tx, args, contract);
    case 'repair':
      return repair(tx, args.candidate, contract);
  }
}

/** R3.5: success is what the evidence says, whatever the caller thinks. */
async function end(
  tx: AttemptTx,
  { state, reason, candidate }: Extract<RecordArgs, { at: 'end' }>,
  contract: Contract,
): Promise<Answer> {
  if (state === 'COMPLETED' && !completion(contract, await tx.evidence(candidate)).met) {
    throw new Error(`Candidate ${candidate} does not meet the contract; it cannot complete the attempt.`);
  }
  // What a call took from the user and no model has heard is a reason to go on, for it may be the way out.
  if (state === 'FAILED' && !tx.attempt.ended && isUnheard(tx)) return goOn(tx);
  return endAttempt(tx, contract, state, reason);
}

const isUnheard = (tx: AttemptTx) => tx.lastMessageInput > tx.attempt.heard;

/** The next turn, with what the user said. */
async function goOn(tx: AttemptTx): Promise<Answer> {
  const over = charge(tx, chargeTurn(tx.attempt.account, tx.attempt.limits));
  if (over) return over;
  const turn = tx.attempt.turn + 1;
  tx.update({ turn, reason: null });
  tx.insert('turns', { turn, first_step: tx.attempt.step + 1 });
  await sayNotRun(tx);
  return { kind: 'said', turn };
}

async function pause(
  tx: AttemptTx,
  { state, reason }: Extract<RecordArgs, { at: 'pause' }>,
  contract: Contract,
): Promise<Answer> {
  // A budget is not raised by a word; what was said is kept for the model.
  if (state === 'WAITING_FOR_USER' && isUnheard(tx)) return goOn(tx);
  if (tx.attempt.reason !== reason) {
    tx.update({ state, reason });
    await writeCheckpoint(tx, contract);
    tx.emit({ type: 'paused', payload: { state, reason } });
  }
  return { kind: 'none' };
}

/** What the pause broke off is over (R5.4); the model is told so, for each call must have a result. */
async function sayNotRun(tx: AttemptTx): Promise<void> {
  const { error } = failed(
    { class: 'tool_business', code: 'NOT_RUN' },
    'The attempt paused before this call.',
    'Call it again if it is still wanted.',
  );
  for (const { index } of await tx.unobserved()) {
    tx.insert('observations', {
      step: tx.attempt.step,
      index,
      ok: false,
      body: { text: JSON.stringify({ ok: false, error }) },
      tokens: 0,
      snapshot: null,
    });
  }
}

async function repair(tx: AttemptTx, candidate: number, contract: Contract): Promise<Answer> {
  const over = charge(tx, chargeRepair(tx.attempt.account, tx.attempt.limits));
  if (over) return over;
  const evidence = await tx.evidence(candidate);
  const findings = evidence.map(({ criterion, met, body }) => ({
    criterion,
    met,
    detail: body.detail,
    ...(body.output === undefined ? {} : { output: body.output }),
  }));
  const { account, limits, turn, step } = tx.attempt;
  const text = feedbackText(contract.acceptance, findings, { repairs: account.repairs, maxRepairs: limits.maxRepairs });
  tx.insert('inputs', { ordinal: tx.lastInput + 1, turn, after_step: step, kind: 'feedback', body: { text } });
  tx.emit({ type: 'repair_requested', payload: { candidate, unmet: completion(contract, evidence).unmet } });
  return { kind: 'repair' };
}
