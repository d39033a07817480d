import { delegateTool } from '../domain/child/child-contract';
import { type Delegation, delegationSchema } from '../domain/child/delegation';
import { type TaskState, taskStateSchema } from '../domain/context/task-state';
import type { Contract } from '../domain/contract/contract';
import { failed } from '../domain/failure/failed';
import { shortHash } from '../protocol/action-hash';
import type { Call } from '../protocol/calls';
import { loadBody } from './bodies';
import type { ActivityDeps } from './deps';
import type { RunnableTool, ToolDefinition, ToolResult } from './ports';

/** An action before anything of it runs (R8.4). */
export type CheckedAction =
  | {
      readonly kind: 'run';
      readonly name: string;
      readonly tool: RunnableTool;
      readonly args: Readonly<Record<string, unknown>>;
      /** Over the tool's name and the arguments, as the proposal has it. */
      readonly argsHash: string;
      /** The one that the attempt was started with: a later one differs in revisions of the goal alone. */
      readonly contract: Contract;
    }
  | { readonly kind: 'plan'; readonly name: string; readonly plan: TaskState }
  /** A `finish` that a person was asked about; it was observed when it was proposed. */
  | { readonly kind: 'judged'; readonly name: string }
  | { readonly kind: 'delegate'; readonly name: string; readonly asked: Delegation; readonly contract: Contract }
  | { readonly kind: 'refused'; readonly name: string; readonly result: Extract<ToolResult, { ok: false }> };

/** Reads the action that the call names and checks it against the tools, the contract and the tool's schema. */
export async function checkAction(deps: ActivityDeps, call: Call<'act'>): Promise<CheckedAction> {
  const { step, index, hash } = call.args;
  const row = await deps.ledger.action(call.ref, step, index);
  if (!row || shortHash(row.argsHash) !== hash)
    throw new Error(`No action s${step}.a${index} with the hash ${hash} was proposed.`);
  const contract = await deps.ledger.contract(call.ref);
  const offered = deps.tools.offered(contract.tools, contract.forbidden);
  const tool = offered.find((candidate) => candidate.name === row.tool);
  const name = row.tool.slice(0, 64);
  if (!tool) return { kind: 'refused', name, result: notOffered(deps, name, offered) };

  const parsed = parse(await loadBody(deps.artifacts, call.ref.tenant, row.args));
  const wrong = 'wrong' in parsed ? parsed.wrong : tool.validate(parsed.args);
  if (wrong !== undefined || !('args' in parsed)) {
    return {
      kind: 'refused',
      name,
      result: failed(
        { class: 'tool_argument', code: 'INVALID_ARGUMENTS' },
        wrong ?? '',
        `Call ${name} again with arguments that fit its schema.`,
      ),
    };
  }
  if (tool.effect !== 'control') {
    // A schema of arguments is an object's, and it let them through.
    const args = parsed.args as Readonly<Record<string, unknown>>;
    return { kind: 'run', name, tool, args, argsHash: row.argsHash, contract };
  }
  if (name === 'finish') return { kind: 'judged', name };
  if (name === delegateTool) {
    const asked = delegationSchema.safeParse(parsed.args);
    if (asked.success) return { kind: 'delegate', name, asked: asked.data, contract };
    return { kind: 'refused', name, result: invalid(asked.error.message, 'Correct what you ask for.') };
  }
  const plan = taskStateSchema.safeParse(parsed.args);
  if (plan.success) return { kind: 'plan', name, plan: plan.data };
  return { kind: 'refused', name, result: invalid(plan.error.message, 'Correct the plan.') };
}

const invalid = (message: string, next: string) =>
  failed({ class: 'tool_argument', code: 'INVALID_ARGUMENTS' }, message, next);

function parse(text: string): { args: unknown } | { wrong: string } {
  try {
    return { args: JSON.parse(text.trim() === '' ? '{}' : text) };
  } catch (error) {
    return { wrong: `The arguments are no JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function notOffered(
  deps: ActivityDeps,
  name: string,
  offered: readonly ToolDefinition[],
): Extract<ToolResult, { ok: false }> {
  const names = offered.map((tool) => tool.name).join(', ');
  const known = deps.tools.get(name) !== undefined;
  return failed(
    { class: known ? 'policy_denied' : 'tool_argument', code: known ? 'TOOL_NOT_ALLOWED' : 'TOOL_NOT_FOUND' },
    known ? `The contract does not allow ${name}.` : `There is no tool ${name}.`,
    `Use one of: ${names}.`,
  );
}
