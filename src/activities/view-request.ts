import type { ModelRequest } from '../domain/context/messages';
import { buildView } from '../domain/context/view';
import type { ViewFacts } from '../domain/context/view-facts';
import type { Failure } from '../domain/failure/failure';
import type { CallArgs } from '../protocol/calls';
import { viewFacts } from './context/view-facts';
import { ViewSize } from './context/view-size';
import type { ActivityDeps } from './deps';
import type { ViewRows } from './ledger-port';
import type { ModelProfile, Usage } from './ports';

export interface BuiltRequest {
  readonly kind: 'built';
  readonly request: ModelRequest;
  /** Upper bound of what it may use. */
  readonly estimate: Usage;
}

/** No request can be made, and asking again changes nothing. */
export interface NoRequest {
  readonly kind: 'none';
  readonly failure: Failure;
  /** For a person: what is missing and where it is mended. */
  readonly detail: string;
}

/** The view is to be compacted before the model is asked (R13.2). */
export interface NeedsCompaction {
  readonly kind: 'compact';
}

/** Part of the context that a view may fill; the rest is for the answer and for what a tokenizer misjudges. */
const contextShare = 0.9;
/** Steps that fall out of a view at once where no projection stands for them: one cache miss every so many. */
const cutStepsMax = 10;

/**
 * The request of a step, made of ledger rows. Where it has become long, it asks to be compacted first; where that was done, or
 * was tried a moment ago and made nothing smaller, older steps that do not fit fall out of it. `lastInput`: the newest input
 * that it was judged by.
 */
export async function buildRequest(
  deps: ActivityDeps,
  rows: ViewRows,
  { step, compacted }: Pick<CallArgs['think'], 'step' | 'compacted'>,
  model: string,
): Promise<(BuiltRequest | NeedsCompaction | NoRequest) & { readonly lastInput: number }> {
  const { lastInput } = rows;
  const profile = deps.models.profile(model);
  if (!profile) return { ...notConfigured(model), lastInput };
  const facts = await viewFacts(deps, rows, step);
  const size = new ViewSize(deps.models, profile, rows.counted);
  const mayCompact = compacted === undefined && step > rows.attempt.compactAfter;
  if (mayCompact && size.plan(facts, false).kind === 'compact') return { kind: 'compact', lastInput };

  const request = fitting(deps, facts, profile, size.ratio);
  if (!request) return { ...tooLong(profile), lastInput };
  return { kind: 'built', request, estimate: deps.models.estimate(model, request), lastInput };
}

/** The view with as many of the newest steps as fit; undefined where not even the newest one does. */
function fitting(
  deps: ActivityDeps,
  facts: ViewFacts,
  { name, contextTokens }: ModelProfile,
  ratio: number,
): ModelRequest | undefined {
  const room = (contextTokens * contextShare) / ratio;
  const { steps } = facts;
  for (let drop = 0; ; drop = Math.min(drop + cutStepsMax, steps.length - 1)) {
    const hiddenSteps = steps[drop - 1]?.step ?? facts.hiddenSteps;
    const request = buildView({ ...facts, steps: steps.slice(drop), hiddenSteps });
    const { inputTokens, outputTokens } = deps.models.estimate(name, request);
    if (inputTokens + outputTokens <= room) return request;
    if (drop >= steps.length - 1) return inputTokens <= room ? request : undefined;
  }
}

function tooLong({ name, contextTokens }: ModelProfile): NoRequest {
  return {
    kind: 'none',
    failure: { class: 'unrecoverable', code: 'CONTEXT_OVERFLOW' },
    detail: `Not even the newest step fits the ${contextTokens} tokens of ${name}.`,
  };
}

export function notConfigured(model: string): NoRequest {
  return {
    kind: 'none',
    failure: { class: 'unrecoverable', code: 'MODEL_NOT_CONFIGURED' },
    detail: `The worker knows no model "${model}". Name it in the holdfast.yaml or the environment that the worker is started with.`,
  };
}
