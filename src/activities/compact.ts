import type { ModelRequest } from '../domain/context/messages';
import { type ProjectionFault, validateProjection } from '../domain/context/validate-projection';
import type { Answered, Call, CallAnswers } from '../protocol/calls';
import type { Bill } from '../protocol/events';
import { keepBody, storeBody } from './bodies';
import { Compaction, type Made } from './context/compaction';
import type { ActivityDeps } from './deps';
import type { AttemptTx, Body } from './ledger-port';
import {
  beforeModel,
  closeFailedTry,
  closeInterruptedTry,
  closeModelTry,
  type ModelTry,
  modelCallOptions,
  modelName,
  openModelTry,
} from './model-try';
import { numbered, type Opened, type OpenFacts } from './numbered-call';
import type { ModelOutcome, Usage } from './ports';
import { notConfigured } from './view-request';

/**
 * Steps for which a compaction that made nothing smaller is not tried again: by then as much has been added as makes a
 * difference.
 */
const restStepsMax = 10;

type Answer = CallAnswers['compact'];
interface Ready {
  readonly made: Made;
  /** Where the projection is kept. */
  readonly body: Body;
}
/** What can be said before the number is claimed. */
type Job =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'install'; readonly ready: Ready }
  | ({ readonly kind: 'ask'; readonly reserved: Usage } & Asked);
interface Asked {
  readonly compaction: Compaction;
  readonly request: ModelRequest;
}
interface Work extends Asked {
  readonly opened: ModelTry;
}
type Result =
  | Extract<ModelOutcome, { kind: 'failed' }>
  | { readonly kind: 'ready'; readonly outcome: Extract<ModelOutcome, { kind: 'answered' }>; readonly ready: Ready };

/**
 * Makes the view smaller (R13.2–R13.4): plan, model call, validation, installation. What the record keeps is made by code;
 * a model adds prose at most. What is not valid is not installed, and the old view stays.
 */
export function createCompact(deps: ActivityDeps) {
  return async (call: Call<'compact'>, signal: AbortSignal): Promise<Answered<'compact'>> => {
    const rows = await deps.ledger.view(call.ref);
    const model = modelName(rows.attempt, call);
    const ordinal = (rows.projection?.ordinal ?? 0) + 1;
    const job = rows.attempt.ended ? undefined : await prepare(deps, call, rows, model);

    return numbered<'compact', Work, Result>(deps, 'compact', call, signal, {
      takes: 'stops',
      open: (tx, facts) => open(deps, tx, call, model, ordinal, job, facts),
      async work({ compaction, request }, abort) {
        const outcome = await deps.models.call(model, request, modelCallOptions(call, abort));
        if (outcome.kind === 'failed') return outcome;
        return { kind: 'ready', outcome, ready: await readyToInstall(deps, call, await compaction.make(outcome)) };
      },
      close: (tx, work, result) => close(deps, tx, call, model, ordinal, work, result),
      cancelled: (tx, { opened }, stop) => closeInterruptedTry(tx, opened, stop),
    });
  };
}

async function prepare(
  deps: ActivityDeps,
  call: Call<'compact'>,
  rows: Awaited<ReturnType<ActivityDeps['ledger']['view']>>,
  model: string,
): Promise<Job> {
  const profile = deps.models.profile(model);
  if (!profile) return { kind: 'answer', answer: { kind: 'failed', failure: notConfigured(model).failure } };
  const compaction = await Compaction.of(deps, rows, profile, call.args);
  if (!compaction) return { kind: 'answer', answer: { kind: 'unchanged' } };
  if (call.args.mechanical)
    return { kind: 'install', ready: await readyToInstall(deps, call, await compaction.make()) };
  const request = compaction.request(call.args.rejected);
  return { kind: 'ask', compaction, request, reserved: deps.models.estimate(model, request) };
}

async function readyToInstall(deps: ActivityDeps, { ref }: Call<'compact'>, made: Made): Promise<Ready> {
  return { made, body: await storeBody(deps.artifacts, ref.tenant, JSON.stringify(made.projection)) };
}

async function open(
  deps: ActivityDeps,
  tx: AttemptTx,
  call: Call<'compact'>,
  model: string,
  ordinal: number,
  job: Job | undefined,
  facts: OpenFacts,
): Promise<Opened<Answer, Work>> {
  const before = await beforeModel(tx, call, facts);
  if ('answer' in before) return before;
  if (!job) return { answer: { kind: 'interrupted' } };
  switch (job.kind) {
    case 'answer':
      return { answer: job.answer.kind === 'unchanged' ? leave(tx, call) : job.answer };
    case 'install': {
      const faults = install(deps, tx, call, ordinal, job.ready);
      return { answer: faults ? leave(tx, call) : { kind: 'compacted', by: 'mechanical' } };
    }
    case 'ask': {
      const { lost } = before;
      const { reserved, compaction, request } = job;
      const opened = await openModelTry(deps, tx, call, { lost, model, reserved, purpose: 'compaction' });
      return 'kind' in opened ? { answer: opened } : { work: { opened, compaction, request } };
    }
  }
}

/** Bounded: nothing became smaller, so it is not tried again until something was added. */
function leave(tx: AttemptTx, { args: { step } }: Call<'compact'>): Answer {
  tx.update({ compactAfter: step + restStepsMax });
  return { kind: 'unchanged' };
}

function close(
  deps: ActivityDeps,
  tx: AttemptTx,
  call: Call<'compact'>,
  model: string,
  ordinal: number,
  { opened }: Work,
  result: Result,
): Answer {
  if (result.kind === 'failed') return closeFailedTry(tx, call, model, opened, result);
  const { usage, price } = result.outcome;
  closeModelTry(tx, opened, { outcome: 'answered', usage, price });
  const bill: Bill = {
    tokensIn: usage.inputTokens,
    tokensOut: usage.outputTokens,
    costMicroUsd: usage.costMicroUsd,
    ...(price['known'] === 0 && { priceUnknown: true }),
  };
  const faults = install(deps, tx, call, ordinal, result.ready, bill);
  return faults ? { kind: 'rejected', code: faults[0].code } : { kind: 'compacted', by: 'summary' };
}

type Faults = readonly [ProjectionFault, ...ProjectionFault[]];

/** Installs the projection, or says what is wrong with it (R13.4): judged by what holds in this transaction. */
function install(
  deps: ActivityDeps,
  tx: AttemptTx,
  call: Call<'compact'>,
  ordinal: number,
  { made: { projection, facts }, body }: Ready,
  bill?: Bill,
): Faults | undefined {
  const by = projection.madeBy === 'summary' ? 'summary' : 'mechanical';
  const { contractVersion } = tx.attempt;
  const judged = validateProjection(projection, { ...facts, contractVersion, policy: deps.policy.version });
  if (!judged.ok) {
    const faults = judged.faults as Faults;
    const payload = { by, code: faults[0].code, faults, try: call.args.try, ...(bill && { bill }) } as const;
    tx.emit({ type: 'projection_rejected', payload }, 'operator');
    return faults;
  }
  const { uptoStep, policy, madeBy, items, left } = projection;
  const { tokensBefore, tokensAfter } = facts;
  tx.insert('projections', {
    ...{ ordinal, n: tx.n, step: call.args.step, upto_step: uptoStep, contract_version: contractVersion, policy },
    ...{ made_by: madeBy, tokens_before: tokensBefore, tokens_after: tokensAfter, body: keepBody(tx, body) },
  });
  const counts = { items: items.length, left: left.reduce((sum, { count }) => sum + count, 0) };
  tx.emit({
    type: 'context_compacted',
    payload: { by, uptoStep, tokensBefore, tokensAfter, ...counts, ...(bill && { bill }) },
  });
  return undefined;
}
