import { parseTemplate, placeholdersIn, type Template } from '../../domain/template/template';
import type { ListedTool } from './listed-tool';
import type { CallTemplate, McpServerConfig, McpToolConfig, McpWriteConfig } from './mcp-config';
import { argumentNames } from './model-schema';

/** Where configuration and server do not fit, each in one line that names the place in holdfast.yaml. */
export function toolProblems(config: McpServerConfig, listed: readonly ListedTool[]): readonly string[] {
  const names = listed.map(({ name }) => name);
  return Object.entries(config.tools).flatMap(([name, tool]) => {
    const place = `mcp.${config.name}.tools.${name}`;
    const found = listed.find((candidate) => candidate.name === name);
    if (!found) return [`${place}: the server has no such tool; it has ${names.join(', ') || 'none'}`];
    const known = argumentNames(found.schema);
    return [
      ...(known ? argumentProblems(tool, known) : []),
      ...(tool.effect === 'none' ? [] : calls(tool, config, names, known)),
    ].map(({ key, why }) => `${place}.${key}: ${why}`);
  });
}

interface Problem {
  readonly key: string;
  readonly why: string;
}

function argumentProblems(tool: McpToolConfig, known: readonly string[]): readonly Problem[] {
  const missing = (key: string, names: readonly string[]) =>
    names.filter((name) => !known.includes(name)).map((name) => ({ key, why: unknownArgument(name, known) }));
  const ofAny = [...missing('target', firstNames(tool.target ?? [])), ...missing('incidental', tool.incidental ?? [])];
  if (tool.effect === 'none') return [...ofAny, ...missing('source', firstNames(tool.source ?? []))];
  return [
    ...ofAny,
    ...missing('businessKey', firstNames(tool.businessKey ?? [])),
    ...missing('keyArgument', tool.keyArgument === undefined ? [] : [tool.keyArgument]),
    ...missing('operationArguments', tool.operationArguments ?? []),
  ];
}

/** Of the tools that a write names. */
function calls(
  tool: McpWriteConfig,
  config: McpServerConfig,
  names: readonly string[],
  known: readonly string[] | undefined,
): readonly Problem[] {
  return [
    ...(tool.compensation ? calledProblems('compensation', tool.compensation, ['result'], config, names, known) : []),
    ...(tool.effect === 'probed' ? calledProblems('probe', tool.probe, ['key'], config, names, known) : []),
  ];
}

function calledProblems(
  key: 'compensation' | 'probe',
  call: CallTemplate,
  own: readonly string[],
  config: McpServerConfig,
  names: readonly string[],
  known: readonly string[] | undefined,
): readonly Problem[] {
  const problems: Problem[] = [];
  const configured: McpToolConfig | undefined = config.tools[call.tool];
  const effect = configured?.effect ?? config.default.effect;
  if (!names.includes(call.tool)) problems.push({ key, why: `the server has no tool ${call.tool}` });
  else if (key === 'compensation' && effect === 'none') problems.push({ key, why: `${call.tool} is no write` });
  else if (key === 'probe' && configured && effect !== 'none') problems.push({ key, why: `${call.tool} is a write` });
  for (const name of textsIn(call.args).flatMap((text) => firstNames(parseTemplate(text)))) {
    if (known && !own.includes(name) && !known.includes(name))
      problems.push({ key, why: unknownArgument(name, [...known, ...own]) });
  }
  return problems;
}

const unknownArgument = (name: string, known: readonly string[]) =>
  `there is no argument "${name}"; there are ${known.join(', ') || 'none'}`;

const firstNames = (template: Template) => placeholdersIn(template).map(([name = '']) => name);

function textsIn(json: unknown): readonly string[] {
  if (typeof json === 'string') return [json];
  if (typeof json !== 'object' || json === null) return [];
  return Object.values(json).flatMap(textsIn);
}
