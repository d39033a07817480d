import type { ToolDefinition, ToolPort } from '../../activities/ports';
import { InputError } from '../../located-yaml/input-error';
import { nearestName } from '../nearest-name';
import type { ToolSource } from '../registry';

/**
 * Throws InputError where a tool of a module is to be undone by a tool that does not exist, or that is no write (E9): whoever
 * needs to undo something learns that too late. `all`: `tools` are all there are; else the missing ones may be a server's.
 */
export function checkCompensations(modules: readonly ToolSource[], tools: ToolPort, { all }: { all: boolean }): void {
  const problems = modules.flatMap(({ origin, tools: own }) =>
    own.flatMap((tool) => {
      const why = wrongWith(tool, tools, all);
      return why === undefined ? [] : [{ message: `${origin}: ${tool.name}.compensation: ${why}` }];
    }),
  );
  if (problems.length > 0) throw new InputError(problems);
}

function wrongWith(tool: ToolDefinition, tools: ToolPort, all: boolean): string | undefined {
  if (!('send' in tool) || tool.compensation === undefined) return undefined;
  const name = tool.compensation.tool;
  const undoing = tools.get(name);
  if (undoing === undefined) {
    const near = nearestName(name, tools.names());
    return all ? `there is no tool "${name}"${near === undefined ? '' : `; there is "${near}"`}` : undefined;
  }
  return 'send' in undoing ? undefined : `${name} is no write outside, so it undoes nothing`;
}
