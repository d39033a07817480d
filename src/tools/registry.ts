import type { ToolDefinition, ToolPort } from '../activities/ports';
import { applyPatch } from './apply-patch';
import { askUser } from './ask-user';
import { finish } from './finish';
import { listFiles } from './list-files';
import { readArtifact } from './read-artifact';
import { readFile } from './read-file';
import { runCommand } from './run-command';
import { searchText } from './search-text';
import { updatePlan } from './update-plan';
import { writeFile } from './write-file';

/** Offered in every task, whatever it lists. */
const alwaysOffered: readonly ToolDefinition[] = [askUser, finish, updatePlan, readArtifact];
const builtIn: readonly ToolDefinition[] = [
  ...alwaysOffered,
  readFile,
  listFiles,
  searchText,
  applyPatch,
  writeFile,
  runCommand,
];

/** Every tool by its name: the built-in ones and `extra`. Throws where two have the same name. */
export function createRegistry(extra: readonly ToolDefinition[] = []): ToolPort {
  const tools = new Map(builtIn.map((tool) => [tool.name, tool]));
  extra.forEach((tool, index) => {
    const other = tools.get(tool.name);
    if (other)
      throw new Error(
        `Two tools are called "${tool.name}": ${origin(other, extra)} and ${origin(tool, extra, index)}. Rename one.`,
      );
    tools.set(tool.name, tool);
  });
  const always = new Set(alwaysOffered.map((tool) => tool.name));
  return {
    get: (name) => tools.get(name),
    names: () => [...tools.keys()],
    offered: (named, forbidden) =>
      [...tools.values()].filter(({ name }) => (always.has(name) || named.includes(name)) && !forbidden.includes(name)),
  };
}

function origin(tool: ToolDefinition, extra: readonly ToolDefinition[], at = extra.indexOf(tool)): string {
  const described = tool.description.slice(0, 60);
  return at < 0 ? `the built-in one (${described})` : `number ${at + 1} of the added ones (${described})`;
}
