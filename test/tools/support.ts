import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ToolContext, ToolDefinition, ToolResult } from '../../src/activities/ports';
import { createFileStore } from '../../src/artifacts/file-store';
import { tempFolder } from '../support/temp-folder';

/** A workspace folder for tools, with a file beside it that no tool may reach. */
export function toolBench(files: Readonly<Record<string, string>>) {
  const folder = tempFolder('holdfast-tools-');
  const root = join(folder, 'root');
  mkdirSync(root);
  writeFileSync(join(folder, 'outside.txt'), 'secret');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const context: ToolContext = {
    signal: new AbortController().signal,
    root,
    artifacts: createFileStore(join(folder, 'artifacts')),
    tenant: 'acme',
    recall: async (pointer) => (pointer === 's1' ? 'Step 1.' : undefined),
  };
  return { folder, root, context, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
export type ToolBench = ReturnType<typeof toolBench>;

/** Runs a tool as the runtime does: the arguments pass its schema first. */
export async function call(tool: ToolDefinition, args: unknown, context: ToolContext): Promise<ToolResult> {
  const wrong = tool.validate(args);
  if (wrong !== undefined) throw new Error(wrong);
  if (!('run' in tool)) throw new Error(`${tool.name} does not run`);
  return tool.run(args as never, context);
}

export const output = (result: ToolResult) =>
  result.ok ? result.output : `${result.error.code}: ${result.error.message}`;
