import type { Failure } from '../domain/failure/failure';
import type { Call, Exceeded, Failed, Interrupted } from '../protocol/calls';
import { chargeActiveTime, reserveUsage, settleUsage } from './budget';
import { closeLostModelTry } from './close-lost-model-try';
import type { ActivityDeps } from './deps';
import type { AttemptRow, AttemptTx, CloseModelTry, Inserts } from './ledger-port';
import type { OpenFacts, Stop } from './numbered-call';
import type { ModelCallOptions, ModelOutcome, Usage } from './ports';
import { stopped } from './stopped';

/** What a person needs to recognise an error page; the rest of it is noise in an event. */
const shownDetailMaxChars = 500;

/** One execution of a try of a model call, whatever it is made for: reserved before it is sent and settled after (R6.2). */
export interface ModelTry {
  readonly step: number;
  readonly try: number;
  readonly execution: number;
  readonly reserved: Usage;
}

type ModelCall = Call<'think' | 'compact'>;
type Refused = Exceeded | Interrupted;
type FailedOutcome = Extract<ModelOutcome, { kind: 'failed' }>;

/** Name of the model that a call asks. Throws where the attempt has none of this number: a bug of whoever counts them. */
export function modelName({ start }: Pick<AttemptRow, 'start'>, { ref, args }: ModelCall): string {
  const name = start.models[args.model]?.name;
  if (!name) throw new Error(`Attempt ${ref.id} has no model number ${args.model}.`);
  return name;
}

/**
 * What a model call looks at before it looks at its request: a lost execution of the same try is closed and charged; a stop,
 * an end or used-up run time is the answer. `lost`: executions of the try so far.
 */
export async function beforeModel(
  tx: AttemptTx,
  call: ModelCall,
  facts: OpenFacts,
): Promise<{ readonly answer: Refused } | { readonly lost: number }> {
  const { step, try: tryNumber } = call.args;
  const lost = facts.takeover ? await closeLostModelTry(tx, step, tryNumber) : 0;
  const stop = stopped(facts);
  if (stop) return { answer: stop };
  if (tx.attempt.ended) return { answer: { kind: 'interrupted' } };
  const late = chargeActiveTime(tx, call.activeMs);
  return late ? { answer: late } : { lost };
}

/** Reserves what the call may use and opens its try, or says which limit refuses it. */
export async function openModelTry(
  deps: Pick<ActivityDeps, 'tenantCosts'>,
  tx: AttemptTx,
  call: ModelCall,
  {
    lost,
    reserved,
    ...row
  }: { readonly lost: number } & Pick<Inserts['model_tries'], 'model' | 'purpose' | 'reserved'>,
): Promise<ModelTry | Exceeded> {
  const over = await reserveUsage(deps, tx, call, reserved);
  if (over) return over;
  const key = { step: call.args.step, try: call.args.try, execution: lost + 1 };
  tx.insert('model_tries', { ...key, reserved, ...row });
  return { ...key, reserved };
}

export function closeModelTry(tx: AttemptTx, { reserved, ...key }: ModelTry, how: CloseModelTry): void {
  tx.closeModelTry(key, how);
  settleUsage(tx, reserved, how.usage);
}

/** What a failed call was billed is booked all the same (R6.2). */
export function closeFailedTry(
  tx: AttemptTx,
  call: ModelCall,
  model: string,
  opened: ModelTry,
  { failure, detail, usage }: Omit<FailedOutcome, 'kind'>,
): Failed {
  closeModelTry(tx, opened, { outcome: 'failed', failure: failure.code, usage });
  return modelFailed(tx, call, model, { failure, detail });
}

/** A stop came while the model was asked (M5). Nobody knows how far it got, so all that was held for it is booked (R6.2). */
export async function closeInterruptedTry(
  tx: AttemptTx,
  opened: ModelTry,
  { take, interrupted }: Stop,
): Promise<Interrupted> {
  await take();
  closeModelTry(tx, opened, { outcome: 'interrupted', usage: opened.reserved });
  return interrupted;
}

/** A failed call is an answer; the workflow decides on the next one (M2). */
export function modelFailed(
  tx: AttemptTx,
  { args }: ModelCall,
  model: string,
  { failure, detail }: { readonly failure: Failure; readonly detail: string },
): Failed {
  const payload = { code: failure.code, try: args.try, model, detail: detail.slice(0, shownDetailMaxChars) };
  tx.emit({ type: 'model_failed', payload }, 'operator');
  return { kind: 'failed', failure };
}

export function modelCallOptions({ ref, args }: ModelCall, signal: AbortSignal): ModelCallOptions {
  return {
    signal,
    idempotencyKey: `${ref.tenant}/${ref.id}/s${args.step}.t${args.try}`,
    headerFacts: { tenant: ref.tenant, attempt: ref.id, step: args.step },
  };
}
