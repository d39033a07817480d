import type { ModelRequest } from '../domain/context/messages';
import type { Failure } from '../domain/failure/failure';
import type { Answered, Call, CallAnswers } from '../protocol/calls';
import { keepBody, storeBody } from './bodies';
import type { ActivityDeps } from './deps';
import type { AttemptTx, Body } from './ledger-port';
import {
  beforeModel,
  closeFailedTry,
  closeInterruptedTry,
  closeModelTry,
  type ModelTry,
  modelCallOptions,
  modelFailed,
  modelName,
  openModelTry,
} from './model-try';
import { numbered, type Opened, type OpenFacts } from './numbered-call';
import { observeUnrun } from './observe-refusal';
import type { ModelOutcome, Usage } from './ports';
import { type Proposal, readProposal } from './proposal';
import { tellModel } from './tell-model';
import { buildRequest } from './view-request';

type Answer = CallAnswers['think'];
type Built = Awaited<ReturnType<typeof buildRequest>>;
type ModelAnswer = Extract<ModelOutcome, { kind: 'answered' }>;
interface Work {
  readonly opened: ModelTry;
  readonly request: ModelRequest;
}
interface Result {
  readonly outcome: ModelOutcome;
  /** Where the texts of the answer are kept. */
  readonly text: Body;
  readonly args: readonly Body[];
}

/**
 * One model call: builds the view, reserves, calls, and records the proposal with what it used (R6.2). A failed try is
 * an answer; the workflow decides on the next one.
 *
 *   I1  The request that is sent has every message that was taken before it, or nothing is sent: a word that comes while the
 *       view is built has it built anew, and reservation, `heard` and answer follow from the new one (M4).
 */
export function createThink(deps: ActivityDeps) {
  return async (call: Call<'think'>, signal: AbortSignal): Promise<Answered<'think'>> => {
    let { model, built } = await build(deps, call);

    return numbered<'think', Work, Result>(deps, 'think', call, signal, {
      takes: 'all',
      open: (tx, facts) => open(deps, tx, call, model, built, facts),
      async refresh() {
        ({ model, built } = await build(deps, call));
      },
      async work({ opened, request }, abort) {
        const outcome = await ask(deps, call, model, opened, request, abort);
        return storeTexts(deps, call.ref.tenant, outcome);
      },
      close: (tx, work, result) => close(deps, tx, call, model, work, result),
      cancelled: (tx, { opened }, stop) => closeInterruptedTry(tx, opened, stop),
    });
  };
}

async function build(
  deps: ActivityDeps,
  call: Call<'think'>,
): Promise<{ readonly model: string; readonly built: Built | undefined }> {
  const rows = await deps.ledger.view(call.ref);
  const model = modelName(rows.attempt, call);
  return { model, built: rows.attempt.ended ? undefined : await buildRequest(deps, rows, call.args, model) };
}

async function open(
  deps: ActivityDeps,
  tx: AttemptTx,
  call: Call<'think'>,
  model: string,
  built: Built | undefined,
  facts: OpenFacts,
): Promise<Opened<Answer, Work>> {
  const before = await beforeModel(tx, call, facts);
  if ('answer' in before) return before;
  if (!built) return { answer: { kind: 'interrupted' } };
  if (tx.lastInput > built.lastInput) return { again: true }; // I1
  if (built.kind === 'compact') return { answer: { kind: 'compact' } };
  if (built.kind === 'none') return { answer: modelFailed(tx, call, model, built) };
  const { lost } = before;
  const { request, estimate, lastInput } = built;
  const opened = await openModelTry(deps, tx, call, { lost, model, reserved: estimate, purpose: 'step' });
  if ('kind' in opened) return { answer: opened };
  tx.update({ heard: lastInput });
  return { work: { opened, request } };
}

/** What comes of the answer meanwhile is shown to whoever looks on, and kept nowhere (R10.2). */
async function ask(
  deps: ActivityDeps,
  call: Call<'think'>,
  model: string,
  opened: ModelTry,
  request: ModelRequest,
  abort: AbortSignal,
): Promise<ModelOutcome> {
  const preview = deps.previews?.(call.ref, opened);
  try {
    const options = modelCallOptions(call, abort);
    return await deps.models.call(model, request, { ...options, ...(preview && { onText: preview.show }) });
  } finally {
    preview?.end();
  }
}

async function storeTexts(deps: ActivityDeps, tenant: string, outcome: ModelOutcome): Promise<Result> {
  if (outcome.kind === 'failed') return { outcome, text: { text: '' }, args: [] };
  const args = await Promise.all(outcome.calls.map((call) => storeBody(deps.artifacts, tenant, call.rawArgs)));
  return { outcome, text: await storeBody(deps.artifacts, tenant, outcome.text), args };
}

function close(
  deps: ActivityDeps,
  tx: AttemptTx,
  call: Call<'think'>,
  model: string,
  work: Work,
  { outcome, text, args }: Result,
): Answer {
  if (outcome.kind === 'failed') return failTry(tx, call, model, work, outcome);
  if (outcome.calls.length === 0 && outcome.text.trim() === '' && outcome.finish !== 'content_filter') {
    // No call and no word is no answer: asked again like one that was lost.
    const failure: Failure = { class: 'model_transient', code: 'EMPTY_ANSWER' };
    return failTry(tx, call, model, work, { failure, detail: 'No text and no call.', usage: outcome.usage });
  }
  closeModelTry(tx, work.opened, { outcome: 'answered', usage: outcome.usage, price: outcome.price });
  const proposal = readProposal(deps.tools, outcome, tx.attempt);
  writeProposal(tx, call, outcome, proposal, { text, args });
  return { kind: 'proposal', stop: proposal.stop, actions: proposal.planned };
}

function failTry(
  tx: AttemptTx,
  call: Call<'think'>,
  model: string,
  work: Work,
  outcome: { readonly failure: Failure; readonly detail: string; readonly usage: Usage },
): Answer {
  const answer = closeFailedTry(tx, call, model, work.opened, outcome);
  // The provider knows better than any estimate; at most one such compaction a step, whatever it says to the next view.
  return answer.failure.code === 'CONTEXT_OVERFLOW' && call.args.compacted !== 'tight'
    ? { kind: 'compact', tight: true }
    : answer;
}

function writeProposal(
  tx: AttemptTx,
  call: Call<'think'>,
  outcome: ModelAnswer,
  proposal: Proposal,
  bodies: { text: Body; args: readonly Body[] },
): void {
  const { step, turn } = call.args;
  tx.update({ step, modelStop: proposal.stop.kind });
  tx.insert('steps', {
    step,
    turn,
    stop: proposal.stop,
    body: keepBody(tx, bodies.text),
    tokens: outcome.usage.outputTokens,
  });
  for (const { index, callId, tool, effect, argsHash, settled } of proposal.actions) {
    tx.insert('actions', {
      step,
      index,
      call_id: callId,
      tool,
      effect,
      args: keepBody(tx, bodies.args[index] ?? { text: '' }),
      args_hash: argsHash,
    });
    if (settled) observeUnrun(tx, { step, index }, settled);
  }
  if (proposal.stop.kind === 'truncated')
    tellModel(tx, 'Your answer was cut at the output limit. Go on from there, in smaller parts.');
  tx.emit({
    type: 'model_answered',
    payload: {
      stop: proposal.stop.kind,
      calls: outcome.calls.length,
      tokensIn: outcome.usage.inputTokens,
      tokensOut: outcome.usage.outputTokens,
      costMicroUsd: outcome.usage.costMicroUsd,
      try: call.args.try,
    },
  });
}
