import { loadBody } from '../activities/bodies';
import type { ToolPort, WriteTool } from '../activities/ports';
import { createFileStore } from '../artifacts/file-store';
import type { UndoableEffect } from '../ledger/queries/undoable-effect';
import type { CompensatingTool } from '../ledger/start-compensation';
import type { Session } from '../requests/session';
import { CliError } from './cli-error';
import { exitCodes } from './exit-codes';

export interface Compensation {
  readonly tool: CompensatingTool;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What undoes an effect, as its tool declares it, or with arguments that a person gives (E9). Rejects with CliError. */
export async function compensationOf(
  session: Session,
  tools: ToolPort,
  effect: UndoableEffect,
  given: string | undefined,
): Promise<Compensation> {
  const declared = writeOf(tools, effect.tool)?.compensation;
  if (declared === undefined) {
    throw new CliError(
      exitCodes.usage,
      `${effect.tool} declares no compensation, so nothing is known to undo it.`,
      'Declare one (`compensation` of the tool), or undo it on the other side.',
    );
  }
  const tool = writeOf(tools, declared.tool);
  if (tool === undefined) {
    const next = 'Correct `compensation` where the tool is declared.';
    throw new CliError(exitCodes.usage, `${effect.tool} is undone by ${declared.tool}, which is no write here.`, next);
  }
  const args = given === undefined ? await declaredArgs(session, declared, effect) : givenArgs(given);
  const wrong = tool.validate(args);
  if (wrong !== undefined) throw cannot(tool.name, wrong);
  const { name, quick, timeoutMs } = tool;
  return { tool: { name, effect: tool.effect, quick, timeoutMs }, args };
}

function writeOf(tools: ToolPort, name: string): WriteTool | undefined {
  const tool = tools.get(name);
  return tool !== undefined && 'send' in tool ? tool : undefined;
}

async function declaredArgs(
  { config, tenant }: Session,
  { tool, args }: NonNullable<WriteTool['compensation']>,
  { args: written, output, downstreamId }: UndoableEffect,
): Promise<Compensation['args']> {
  const original = await loadBody(createFileStore(config.objectStore), tenant, written);
  try {
    // Its schema let these arguments through when the effect was sent.
    const made = args(JSON.parse(original) as never, { output, ...(downstreamId !== null && { downstreamId }) });
    if (typeof made === 'object' && made !== null) return { ...made };
  } catch (error) {
    throw cannot(tool, error instanceof Error ? error.message : String(error));
  }
  throw cannot(tool, 'they are no object');
}

function givenArgs(text: string): Compensation['args'] {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Said below.
  }
  throw new CliError(
    exitCodes.usage,
    `--args is no JSON object: ${text}`,
    `Write it like --args '{"refundId":"r-1"}'.`,
  );
}

function cannot(tool: string, why: string): CliError {
  return new CliError(exitCodes.usage, `The arguments of ${tool} cannot be had: ${why}.`, `Give them: --args '{…}'.`);
}
