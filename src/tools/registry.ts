import type { ToolDefinition, ToolPort } from '../activities/ports';
import { applyPatch } from './apply-patch';
import { askUser } from './ask-user';
import { delegate } from './delegate';
import { finish } from './finish';
import { listFiles } from './list-files';
import { mergeBranch } from './merge-branch';
import { queryData } from './query-data';
import { readArtifact } from './read-artifact';
import { readFile } from './read-file';
import { recall } from './recall';
import { runCommand } from './run-command';
import { searchText } from './search-text';
import { updatePlan } from './update-plan';
import { writeFile } from './write-file';

/** Offered in every task, whatever it lists. */
const alwaysOffered: readonly ToolDefinition[] = [askUser, finish, updatePlan, readArtifact, recall];
const builtIn: readonly ToolDefinition[] = [
  ...alwaysOffered,
  readFile,
  listFiles,
  searchText,
  applyPatch,
  writeFile,
  runCommand,
  queryData,
  delegate,
  mergeBranch,
];

/** Tools that came from one place, which an error names: `the MCP server "shop"`. */
export interface ToolSource {
  readonly origin: string;
  readonly tools: readonly ToolDefinition[];
  /** They are offered in every task, whatever it lists. */
  readonly always?: true;
}

/** Every tool by its name: the built-in ones, `extra` and those of `sources`. Throws where two have the same name. */
export function createRegistry(extra: readonly ToolDefinition[] = [], sources: readonly ToolSource[] = []): ToolPort {
  const tools = new Map<string, ToolDefinition>();
  const origins = new Map<string, string>();
  const add = (tool: ToolDefinition, origin: string) => {
    const other = origins.get(tool.name);
    if (other !== undefined)
      throw new Error(
        `Two tools are called "${tool.name}": one of ${other}, one of ${origin}. Rename one, or give the MCP server a prefix.`,
      );
    tools.set(tool.name, tool);
    origins.set(tool.name, origin);
  };
  for (const tool of builtIn) add(tool, 'Holdfast itself');
  for (const tool of extra) add(tool, 'the added ones');
  for (const source of sources) for (const tool of source.tools) add(tool, source.origin);
  const offeredAlways = [alwaysOffered, ...sources.filter((source) => source.always).map((source) => source.tools)];
  const always = new Set(offeredAlways.flat().map((tool) => tool.name));
  return {
    get: (name) => tools.get(name),
    names: () => [...tools.keys()],
    offered: (named, forbidden) =>
      [...tools.values()].filter(({ name }) => (always.has(name) || named.includes(name)) && !forbidden.includes(name)),
  };
}
