import type { ToolDefinition, WriteTool } from '../../activities/ports';
import { canonicalHash } from '../../domain/canonical';
import { fillJson, fillTemplate, type Values } from '../../domain/template/fill-template';
import { placeholdersIn } from '../../domain/template/template';
import { toolNamePattern } from '../tool-name';
import { jsonObject } from './answer';
import { compileSchema } from './compile-schema';
import type { ListedTool } from './listed-tool';
import type { McpToolConfig, McpWriteConfig } from './mcp-config';
import type { McpServer } from './mcp-server';
import { modelSchema } from './model-schema';
import { probe } from './probe';
import { readRun } from './read-tool';
import { recordOf } from './record';
import { toolProblems } from './tool-problems';
import { wordsOf } from './words-of';
import { writeSend } from './write-send';

export interface McpTools {
  readonly tools: readonly ToolDefinition[];
  /** Tools that nobody named in configuration and that cannot be offered, with the reason. */
  readonly leftOut: readonly { readonly tool: string; readonly why: string }[];
}

/** The tools of a server as configuration has them. Throws, with every problem, where the two do not fit. */
export function mcpTools(server: McpServer): McpTools {
  const { config } = server;
  const problems = [...toolProblems(config, server.tools)];
  const tools: ToolDefinition[] = [];
  const leftOut: { tool: string; why: string }[] = [];
  for (const listed of server.tools) {
    try {
      tools.push(toolOf(server, listed, config.tools[listed.name] ?? config.default));
    } catch (error) {
      const why = wordsOf(error);
      if (config.tools[listed.name]) problems.push(`mcp.${config.name}.tools.${listed.name}: ${why}`);
      else leftOut.push({ tool: listed.name, why });
    }
  }
  if (problems.length > 0) {
    throw new Error(`The MCP server "${config.name}" does not fit its configuration:\n  ${problems.join('\n  ')}`);
  }
  return { tools, leftOut };
}

function toolOf(server: McpServer, listed: ListedTool, config: McpToolConfig): ToolDefinition {
  const name = server.config.prefix + listed.name;
  if (!toolNamePattern.test(name)) throw new Error(`models take no tool called "${name}"`);
  const schema = modelSchema(listed.schema, config.effect === 'none' ? undefined : config.keyArgument);
  const { description } = listed;
  const base = {
    name,
    description,
    schema,
    validate: compileSchema(schema),
    quick: config.quick,
    timeoutMs: config.timeoutMs,
    version: canonicalHash({ name, description, schema: listed.schema, effect: config.effect }).slice(0, 16),
    workspace: false as const,
    ...(config.untrusted && { untrusted: true as const }),
    ...(config.polling !== undefined && { polling: { limit: config.polling } }),
    ...(config.incidental && { incidental: config.incidental }),
  };
  if (config.effect === 'none') {
    const run = readRun(server, listed.name, config.timeoutMs);
    const { target, source } = config;
    return {
      ...base,
      effect: 'none',
      run,
      ...(config.protected && { protected: true as const }),
      ...(target && { target: (args: Values) => fillTemplate(target, args) }),
      ...(source && { source: (args: Values) => fillTemplate(source, args) }),
    };
  }
  const write = {
    ...base,
    ...operationOf(server, config),
    validate: namingOperation(base.validate, config),
    send: writeSend(server, listed.name, config),
  };
  if (config.effect !== 'probed') return { ...write, effect: config.effect };
  return {
    ...write,
    effect: 'probed',
    probe: (key, args: Values, context) => probe(server, config.probe, config.timeoutMs, key, args, context),
  };
}

type Operation = Pick<
  WriteTool,
  | 'businessKey'
  | 'target'
  | 'scope'
  | 'operationArguments'
  | 'credentialDomain'
  | 'rejectionIsFinalForKey'
  | 'compensation'
>;

function operationOf({ config: { prefix } }: McpServer, config: McpWriteConfig): Operation {
  const { businessKey, target, scope, operationArguments, credentialDomain, rejectionIsFinalForKey } = config;
  const { compensation } = config;
  return {
    ...(businessKey && { businessKey: (args: Values) => fillTemplate(businessKey, args) }),
    ...(target && { target: (args: Values) => fillTemplate(target, args) }),
    ...(scope && { scope }),
    ...(operationArguments && { operationArguments }),
    ...(credentialDomain !== undefined && { credentialDomain }),
    ...(rejectionIsFinalForKey && { rejectionIsFinalForKey }),
    ...(compensation && {
      compensation: {
        tool: prefix + compensation.tool,
        args: (args: Values, { output, downstreamId: id }: { output: string; downstreamId?: string }) =>
          fillJson(compensation.args, { ...args, result: { ...(id !== undefined && { id }), ...jsonObject(output) } }),
      },
    }),
  };
}

/** Arguments that name the operation are never left out: without them every call would be one of its own (E1). */
function namingOperation(validate: (args: unknown) => string | undefined, config: McpWriteConfig) {
  const templates = [config.businessKey ?? [], config.target ?? []];
  const paths = [...new Set(templates.flatMap(placeholdersIn).map((path) => path.join('.')))];
  return (args: unknown): string | undefined => {
    const wrong = validate(args);
    if (wrong !== undefined) return wrong;
    const missing = paths.find((path) => !isFilled(path, recordOf(args)));
    return missing === undefined ? undefined : `"${missing}" must be a text or a number: it names the operation`;
  };
}

function isFilled(path: string, args: Values): boolean {
  try {
    return fillTemplate([{ path: path.split('.') }], args) !== '';
  } catch {
    return false;
  }
}
