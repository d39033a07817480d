import { delegateTool } from '../domain/child/child-contract';
import type { ModelToolCall } from '../domain/context/messages';
import { actionHash, shortHash } from '../protocol/action-hash';
import type { PlannedAction, Stop } from '../protocol/calls';
import type { AttemptRow } from './ledger-port';
import type { ModelOutcome, ToolDefinition, ToolPort } from './ports';

/** Calls of one answer that are looked at; a plan of more is a mistake, and each needs a number and an answer. */
export const actionsPerStepMax = 32;

export interface ProposedAction {
  readonly index: number;
  readonly callId: string;
  readonly tool: string;
  readonly effect: ToolDefinition['effect'] | 'unknown';
  readonly argsHash: string;
  /** What the model is told at once; the other actions are run. */
  readonly settled?: { readonly ok: boolean; readonly text: string };
}
export interface Proposal {
  readonly stop: Stop;
  readonly actions: readonly ProposedAction[];
  readonly planned: readonly PlannedAction[];
}

/** What a model's answer asks for (R3.1, R3.2), decided from its calls alone, and how that is sent by what the attempt is. */
export function readProposal(
  tools: ToolPort,
  outcome: Extract<ModelOutcome, { kind: 'answered' }>,
  { tainted, start }: Pick<AttemptRow, 'tainted' | 'start'>,
): Proposal {
  const { calls } = outcome;
  const actions = calls.map((call, index): ProposedAction => {
    const settled = settledAtOnce(tools, call, index, calls.length);
    return {
      index,
      callId: call.callId,
      tool: call.tool,
      effect: tools.get(call.tool)?.effect ?? 'unknown',
      argsHash: actionHash(call.tool, parsedOr(call.rawArgs)),
      ...(settled ? { settled } : {}),
    };
  });
  const run = actions.filter((action) => !action.settled);
  const planned = run.map((action) => ({
    ...plan(tools, action, start.hosts === 'many'),
    ...(run.length > 1 && { ...reads(tools, action, tainted), ...job(tools, action) }),
  }));
  return { stop: stopOf(tools, outcome), actions, planned };
}

/** Arguments by what they say and not by how they are written, so that the same call asked for again is seen to be the same. */
function parsedOr(rawArgs: string): unknown {
  try {
    return JSON.parse(rawArgs);
  } catch {
    return rawArgs;
  }
}

function plan(tools: ToolPort, { index, tool, argsHash }: ProposedAction, manyHosts: boolean): PlannedAction {
  const definition = tools.get(tool);
  const elsewhere = manyHosts && definition !== undefined && 'workspace' in definition && definition.workspace;
  // A tool that does not exist is refused at once; what another host may have to do is no local activity.
  const quick = definition === undefined || (definition.quick && definition.effect !== 'unsafe' && !elsewhere);
  return {
    index,
    tool: tool.slice(0, 64),
    hash: shortHash(argsHash),
    quick,
    ...(elsewhere && { workspace: true }),
    ...(definition && !quick ? { timeoutMs: definition.timeoutMs } : {}),
  };
}

/** What decides whether it may run beside others (R14.1); a fact of every action would be a cost of every step. */
function reads(tools: ToolPort, { tool }: ProposedAction, tainted: boolean): Pick<PlannedAction, 'reads'> {
  const definition = tools.get(tool);
  if (definition?.effect !== 'none') return {};
  return { reads: definition.untrusted && !tainted ? 'untrusted' : 'trusted' };
}

function job(tools: ToolPort, { tool }: ProposedAction): Pick<PlannedAction, 'job'> {
  if (tool === delegateTool) return { job: true };
  const definition = tools.get(tool);
  return definition && 'job' in definition && definition.job ? { job: true } : {};
}

function settledAtOnce(tools: ToolPort, call: ModelToolCall, index: number, count: number): ProposedAction['settled'] {
  if (index >= actionsPerStepMax) {
    return refusal(
      'TOO_MANY_CALLS',
      `Only the first ${actionsPerStepMax} calls of an answer are run.`,
      'Ask for the rest in your next answer.',
    );
  }
  if (call.tool === 'finish') {
    if (count > 1)
      return refusal(
        'FINISH_NOT_ALONE',
        'finish must be the only call of an answer.',
        'Read the other results, then call finish alone.',
      );
    return controlArgs(tools, call)
      ? { ok: true, text: 'Submitted. What is missing follows, if anything is.' }
      : undefined;
  }
  if (call.tool === 'ask_user' && controlArgs(tools, call))
    return { ok: true, text: 'Asked. The answer follows as a message of the user.' };
  return undefined;
}

function stopOf(tools: ToolPort, { calls, finish }: Extract<ModelOutcome, { kind: 'answered' }>): Stop {
  const only = calls.length === 1 ? calls[0] : undefined;
  if (only?.tool === 'finish') {
    const args = controlArgs(tools, only);
    const status = args?.['status'];
    if (status === 'done' || status === 'blocked' || status === 'refused') return { kind: 'finish', status };
  }
  if (calls.slice(0, actionsPerStepMax).some((call) => call.tool === 'ask_user' && controlArgs(tools, call)))
    return { kind: 'ask' };
  if (calls.length > 0) return { kind: 'actions' };
  if (finish === 'content_filter') return { kind: 'refusal' };
  return { kind: finish === 'length' ? 'truncated' : 'text' };
}

/** Arguments of a call that fit its tool's schema. */
function controlArgs(tools: ToolPort, call: ModelToolCall): Record<string, unknown> | undefined {
  try {
    const args: unknown = JSON.parse(call.rawArgs);
    const tool = tools.get(call.tool);
    if (!tool || tool.validate(args) !== undefined) return undefined;
    return args as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function refusal(code: string, message: string, suggested_action: string): { ok: false; text: string } {
  return {
    ok: false,
    text: JSON.stringify({ ok: false, error: { code, message, retryable: false, suggested_action } }),
  };
}
