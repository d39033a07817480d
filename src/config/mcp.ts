import { resolve } from 'node:path';
import { parseTemplate } from '../domain/template/template';
import type {
  McpServerConfig,
  McpToolConfig,
  McpTransportConfig,
  McpWriteConfig,
  Settings,
} from '../tools/mcp/mcp-config';
import type { McpServerText, McpToolText } from './mcp-schema';

type Env = Readonly<Record<string, string | undefined>>;

/** What an MCP client waits where nobody says otherwise, ms. */
const defaultToolTimeoutMs = 60_000;

/** @param folder what relative paths are relative to */
export function mcpServers(
  written: Readonly<Record<string, McpServerText>>,
  folder: string,
  env: Env,
): readonly McpServerConfig[] {
  return Object.entries(written).map(([name, server]) => {
    const defaults = { untrusted: server.untrusted ?? false, timeoutMs: server.timeoutMs ?? defaultToolTimeoutMs };
    return {
      name,
      transport: transportOf(server, folder, env),
      prefix: server.prefix ?? '',
      tools: Object.fromEntries(
        Object.entries(server.tools ?? {}).map(([tool, text]) => [tool, toolOf(text, defaults)]),
      ),
      default: toolOf(server.default ?? { effect: 'unsafe' }, defaults),
    };
  });
}

function transportOf(
  { command, args, cwd, url, ...text }: McpServerText,
  folder: string,
  env: Env,
): McpTransportConfig {
  if (url !== undefined) return { kind: 'http', url, headers: settingsOf(text.headers ?? {}, env) };
  return {
    kind: 'stdio',
    command: command ?? '', // the schema lets no server through that has neither
    args: args ?? [],
    cwd: resolve(folder, cwd ?? '.'),
    env: settingsOf(text.env ?? {}, env),
  };
}

function settingsOf(written: NonNullable<McpServerText['env']>, env: Env): Settings {
  return Object.fromEntries(
    Object.entries(written).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : { env: value.env, read: () => env[value.env] },
    ]),
  );
}

function toolOf(text: McpToolText, defaults: { untrusted: boolean; timeoutMs: number }): McpToolConfig {
  const base = {
    untrusted: text.untrusted ?? defaults.untrusted,
    timeoutMs: text.timeoutMs ?? defaults.timeoutMs,
    quick: text.quick ?? false,
    ...(text.polling !== undefined && { polling: text.polling }),
    ...(text.incidental && { incidental: text.incidental }),
  };
  if (text.effect === 'none') {
    const { target, source } = text;
    return {
      ...base,
      effect: 'none',
      ...(text.protected && { protected: true }),
      ...(target !== undefined && { target: parseTemplate(target) }),
      ...(source !== undefined && { source: parseTemplate(source) }),
    };
  }
  const write = { ...base, ...writeOf(text) };
  if (text.effect !== 'probed') return { ...write, effect: text.effect };
  return { ...write, effect: 'probed', probe: text.probe ?? { tool: '', args: {} } }; // the schema demands a probe
}

function writeOf(text: McpToolText): Partial<McpWriteConfig> {
  const { businessKey, target, scope, keyArgument, operationArguments, credentialDomain, compensation } = text;
  return {
    ...(businessKey !== undefined && { businessKey: parseTemplate(businessKey) }),
    ...(target !== undefined && { target: parseTemplate(target) }),
    ...(scope !== undefined && { scope }),
    ...(keyArgument !== undefined && { keyArgument }),
    ...(operationArguments !== undefined && { operationArguments }),
    ...(credentialDomain !== undefined && { credentialDomain }),
    ...(text.rejectionIsFinalForKey !== undefined && { rejectionIsFinalForKey: text.rejectionIsFinalForKey }),
    ...(compensation !== undefined && { compensation }),
  };
}
