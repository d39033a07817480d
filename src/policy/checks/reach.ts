import type { RunnableTool, ToolPort } from '../../activities/ports';
import { type CelEnvironment, type Node, serialize } from '../condition/cel';
import { nodesOf, sidesOf } from '../condition/nodes';
import type { Rule } from '../rules/rule';

/** The tools of which a rule may match some call, and those of which it matches every call. */
export interface Reach {
  readonly some: readonly string[];
  readonly every: readonly string[];
}

/** Tools whose calls are put before policy; nothing of the runtime's own ones runs. */
export function governedTools(tools: ToolPort): readonly RunnableTool[] {
  return tools.names().flatMap((name) => {
    const tool = tools.get(name);
    return tool === undefined || tool.effect === 'control' ? [] : [tool];
  });
}

/** Judged from what is known of a tool before any call: its name, its effect, and whether it works in the workspace. */
export function reachOf(
  { condition, except }: Rule,
  tools: readonly RunnableTool[],
  environment: CelEnvironment,
): Reach {
  const judged = tools
    .filter(({ name }) => !except.includes(name))
    .map((tool) => ({ name: tool.name, is: condition ? known(condition.root, tool, environment) : true }));
  return {
    some: judged.filter(({ is }) => is !== false).map(({ name }) => name),
    every: judged.filter(({ is }) => is === true).map(({ name }) => name),
  };
}

/** What a condition comes to for every call of a tool; undefined where that depends on the call. */
function known(node: Node, tool: RunnableTool, environment: CelEnvironment): boolean | undefined {
  const sides = (op: '&&' | '||') => sidesOf(node, op).map((side) => known(side, tool, environment));
  switch (node.op) {
    case '&&': {
      const all = sides('&&');
      if (all.includes(false)) return false;
      return all.includes(undefined) ? undefined : true;
    }
    case '||': {
      const any = sides('||');
      if (any.includes(true)) return true;
      return any.includes(undefined) ? undefined : false;
    }
    case '!_': {
      const negated = known(node.args, tool, environment);
      return negated === undefined ? undefined : !negated;
    }
    default:
      return ofTool(node, tool, environment);
  }
}

const factsOfTool = ['tool', 'effect', 'workspace'];

function ofTool(
  node: Node,
  { name, effect, workspace }: RunnableTool,
  environment: CelEnvironment,
): boolean | undefined {
  if (!nodesOf(node).every(({ op, args }) => op !== 'id' || factsOfTool.includes(String(args)))) return undefined;
  try {
    const value: unknown = environment.parse(serialize(node))({ tool: name, effect, workspace });
    return typeof value === 'boolean' ? value : undefined;
  } catch {
    return undefined;
  }
}
