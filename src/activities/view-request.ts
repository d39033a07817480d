import type { ModelRequest } from '../domain/context/messages';
import { taskStateSchema } from '../domain/context/task-state';
import { buildView, type ViewFacts } from '../domain/context/view';
import { blockSteps, firstVisibleStep } from '../domain/context/window';
import type { Failure } from '../domain/failure/failure';
import { loadBody } from './bodies';
import type { ActivityDeps } from './deps';
import type { AttemptRow, ViewRows } from './ledger-port';
import { type Usage, WorkspaceError } from './ports';

export interface BuiltRequest {
  readonly kind: 'built';
  readonly request: ModelRequest;
  /** Upper bound of what it may use. */
  readonly estimate: Usage;
  /** Highest input in it. */
  readonly lastInput: number;
}

/** No request can be made, and asking again changes nothing. */
export interface NoRequest {
  readonly kind: 'none';
  readonly failure: Failure;
  /** For a person: what is missing and where it is mended. */
  readonly detail: string;
}

/** Part of the context that a view may fill; the rest is for the answer and for what a tokenizer misjudges. */
const contextShare = 0.9;

/**
 * The request of a step, made of ledger rows. Where the steps that are usually visible do not fit the model's context,
 * older ones fall out, half a block at a time.
 */
export async function buildRequest(
  deps: ActivityDeps,
  rows: ViewRows,
  step: number,
  model: string,
): Promise<BuiltRequest | NoRequest> {
  const { attempt } = rows;
  const profile = deps.models.profile(model);
  if (!profile) return notConfigured(model);
  const { ref } = attempt;
  const contract = await deps.ledger.contract(ref);
  const tools = deps.tools
    .offered(contract.tools, contract.forbidden)
    .map(({ name, description, schema }) => ({ name, description, schema }));
  const taskState = taskStateSchema.safeParse(rows.taskState);
  const facts: ViewFacts = {
    contract,
    tools,
    inputs: rows.inputs,
    steps: await viewSteps(deps, ref.tenant, stepsBefore(rows, step)),
    hiddenSteps: firstVisibleStep(step) - 1,
    ...(taskState.success ? { taskState: taskState.data } : {}),
    environment: { changedFiles: await changedFiles(deps, attempt) },
  };
  const room = profile.contextTokens * contextShare;
  for (let drop = 0; drop <= facts.steps.length; drop += blockSteps / 2) {
    const shown = { ...facts, steps: facts.steps.slice(drop), hiddenSteps: facts.hiddenSteps + drop };
    const request = buildView(shown);
    const estimate = deps.models.estimate(model, request);
    if (estimate.inputTokens + estimate.outputTokens <= room || facts.steps.length <= 1) {
      if (estimate.inputTokens > room) break;
      return { kind: 'built', request, estimate, lastInput: rows.inputs.at(-1)?.ordinal ?? 0 };
    }
  }
  return {
    kind: 'none',
    failure: { class: 'unrecoverable', code: 'CONTEXT_OVERFLOW' },
    detail: `Not even the newest step fits the ${profile.contextTokens} tokens of ${model}.`,
  };
}

function notConfigured(model: string): NoRequest {
  return {
    kind: 'none',
    failure: { class: 'unrecoverable', code: 'MODEL_NOT_CONFIGURED' },
    detail: `The worker knows no model "${model}". Name it in the holdfast.yaml or the environment that the worker is started with.`,
  };
}

/** A repeated call finds its own proposal in the ledger, which has no observations yet. */
const stepsBefore = ({ steps }: ViewRows, step: number) => steps.filter((row) => row.step < step);

function viewSteps(deps: ActivityDeps, tenant: string, steps: ViewRows['steps']): Promise<ViewFacts['steps']> {
  const load = (body: Parameters<typeof loadBody>[2]) => loadBody(deps.artifacts, tenant, body);
  return Promise.all(
    steps.map(async ({ step, body, calls }) => ({
      step,
      text: await load(body),
      calls: await Promise.all(
        calls.map(async ({ callId, tool, args, output }) => ({ callId, tool, rawArgs: await load(args), output })),
      ),
    })),
  );
}

/** Empty where the workspace cannot be read: the next action or check that needs it says so, and stops. */
async function changedFiles(deps: ActivityDeps, { ref, baseCommit, snapshot }: AttemptRow): Promise<readonly string[]> {
  if (!baseCommit || !snapshot || baseCommit === snapshot) return [];
  try {
    const changed = await deps.workspaces.changedFiles({ tenant: ref.tenant, attempt: ref.id }, baseCommit, snapshot);
    return changed.map((file) => file.path);
  } catch (error) {
    if (error instanceof WorkspaceError) return [];
    throw error;
  }
}
