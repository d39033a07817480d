import type { RunnableTool, ToolDefinition, ToolPort } from '../../activities/ports';
import { errorAt, type RuleProblem } from '../rules/rule-problem';
import { argumentAccesses } from './argument-access';
import { knownProperties, typedArguments } from './argument-environment';
import { type CelEnvironment, type Node, serialize } from './cel';
import { type Condition, summaryOf } from './condition';
import { partsOf } from './parts-of';

/** The types that the arguments of each tool have, made once for all rules. */
export type TypedEnvironments = (tool: ToolDefinition) => CelEnvironment;

export function typedEnvironments(): TypedEnvironments {
  const made = new Map<string, CelEnvironment>();
  return (tool) => {
    const environment = made.get(tool.name) ?? typedArguments(tool.schema);
    made.set(tool.name, environment);
    return environment;
  };
}

/**
 * Each part of a condition against the arguments of the tools that it is about. A part that is about any tool is judged as it
 * comes: tools have different arguments.
 */
export function checkArguments(
  { root }: Condition,
  tools: ToolPort,
  environments: TypedEnvironments,
): readonly RuleProblem[] {
  const problems = partsOf(root).flatMap(({ part, about }) =>
    [...(about ?? [])].flatMap((name) => {
      const tool = tools.get(name);
      if (tool === undefined || tool.effect === 'control') return [];
      const unknown = unknownArguments(part, tool);
      return unknown.length > 0 ? unknown : wrongTypes(part, tool, environments(tool));
    }),
  );
  return problems.filter(({ message }, index) => problems.findIndex((other) => other.message === message) === index);
}

function unknownArguments(part: Node, tool: RunnableTool): readonly RuleProblem[] {
  return argumentAccesses(part).flatMap(({ path, at }) => {
    const [name, ...above] = [...path].reverse();
    const properties = knownProperties(schemaAt(tool.schema, above.reverse()));
    if (name === undefined || properties === undefined || Object.hasOwn(properties, name)) return [];
    const where = path.length === 1 ? `${tool.name} has no argument` : `args.${above.join('.')} of ${tool.name} has no`;
    return [errorAt(['when'], `${where} "${name}"; it has ${Object.keys(properties).join(', ') || 'none'}`, at)];
  });
}

function wrongTypes(part: Node, tool: RunnableTool, environment: CelEnvironment): readonly RuleProblem[] {
  const { error, type } = environment.check(serialize(part));
  if (error === undefined && (type === 'bool' || type === 'dyn')) return [];
  const wrong = error === undefined ? `neither true nor false, but of type ${type}` : summaryOf(error);
  const types = argumentAccesses(part).map(({ path }) => `args.${path.join('.')} is ${typeWord(tool, path)}`);
  const right = types.length === 0 ? '' : `; for ${tool.name}, ${[...new Set(types)].join(' and ')}`;
  return [errorAt(['when'], `"${serialize(part)}": ${wrong}${right}`, part.start)];
}

function typeWord(tool: RunnableTool, path: readonly string[]): string {
  const schema = schemaAt(tool.schema, path);
  const type = schema !== null && typeof schema === 'object' && 'type' in schema ? schema.type : undefined;
  switch (type) {
    case 'string':
      return 'a text';
    case 'number':
    case 'integer':
      return 'a number';
    case 'boolean':
      return 'true or false';
    case 'array':
      return 'a list';
    case 'object':
      return 'an object';
    default:
      return 'of any type';
  }
}

function schemaAt(schema: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((object, name) => {
    const properties = knownProperties(object);
    return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
  }, schema);
}
