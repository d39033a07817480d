import { loadBody } from '../activities/bodies';
import { operationOf } from '../activities/effects/operation';
import type { ToolPort } from '../activities/ports';
import { createFileStore } from '../artifacts/file-store';
import type { PolicyFacts } from '../domain/policy/policy';
import type { ActionFacts } from '../ledger/queries/action-facts';
import { type AttemptRef, actionId, taskOf } from '../protocol/ids';
import type { Session } from '../requests/session';
import { CliError } from './cli-error';
import { exitCodes } from './exit-codes';

const microUsdPerUsd = 1_000_000;

/**
 * What policy would be asked about an action if it were to be decided now. Rejects with CliError where nothing is asked about
 * it: no such tool here, arguments that no tool takes, or a tool of the runtime's own.
 */
export async function factsOfAction(
  { config }: Session,
  ref: AttemptRef,
  place: { readonly step: number; readonly index: number },
  row: ActionFacts,
  tools: ToolPort,
): Promise<PolicyFacts> {
  const name = actionId(ref.id, place.step, place.index);
  const tool = tools.get(row.tool);
  if (tool === undefined) {
    throw new CliError(
      exitCodes.usage,
      `${name} calls ${row.tool}, and there is no such tool here.`,
      'Name its module or MCP server in holdfast.yaml.',
    );
  }
  if (tool.effect === 'control') {
    throw new CliError(exitCodes.usage, `${name} calls ${row.tool}, about which no policy is asked.`);
  }
  const args = argumentsOf(await loadBody(createFileStore(config.objectStore), ref.tenant, row.args));
  const wrong = args === undefined ? 'no JSON object' : tool.validate(args);
  if (args === undefined || wrong !== undefined) {
    throw new CliError(exitCodes.usage, `The arguments of ${name} are refused before policy is asked: ${wrong}`);
  }
  const { account, contract, startedBy, start, tainted } = row;
  const { step, index } = place;
  return {
    tenant: ref.tenant,
    principal: startedBy,
    tool: tool.name,
    effect: tool.effect,
    target:
      'send' in tool
        ? operationOf(tool, args, { ref, start }, step, index).target
        : tool.workspace
          ? 'workspace'
          : tool.name,
    args,
    workspace: tool.workspace,
    contract: { kind: contract.kind, task: taskOf(ref.id), version: contract.version },
    spend: { costUsd: account.costMicroUsd / microUsdPerUsd, toolCalls: account.toolCalls, turns: account.turns },
    tainted,
  };
}

function argumentsOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
