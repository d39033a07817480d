import type { ToolSource } from '../registry';
import type { McpServerConfig } from './mcp-config';
import type { McpLog } from './mcp-log';
import { McpServer } from './mcp-server';
import { mcpTools } from './mcp-tools';
import { wordsOf } from './words-of';

export interface StartedMcp {
  readonly sources: readonly ToolSource[];
  /** Ends every server; calls that run are lost. Within 5 s, also of servers that do not listen. */
  close(): Promise<void>;
}

/**
 * Starts the servers, side by side, and keeps them running. Rejects, with what is wrong with each and after ending the
 * others, where one does not start or does not fit its configuration: a worker without its tools would tell models that
 * there are none.
 */
export async function startMcp(configs: readonly McpServerConfig[], log: McpLog): Promise<StartedMcp> {
  const started = await Promise.allSettled(configs.map((config) => McpServer.start(config, log)));
  const servers = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const close = async () => {
    await Promise.all(servers.map((server) => server.close()));
  };
  const wrong = started.flatMap((result) => (result.status === 'rejected' ? [wordsOf(result.reason)] : []));
  const sources: ToolSource[] = [];
  for (const server of servers) {
    try {
      sources.push(sourceOf(server, log));
    } catch (error) {
      wrong.push(wordsOf(error));
    }
  }
  if (wrong.length === 0) return { sources, close };
  await close();
  throw new Error(wrong.join('\n'));
}

function sourceOf(server: McpServer, log: McpLog): ToolSource {
  const { name } = server.config;
  const { tools, leftOut } = mcpTools(server);
  for (const { tool, why } of leftOut) log.warn({ server: name, tool, why }, 'an MCP tool cannot be offered');
  return { origin: `the MCP server "${name}"`, tools };
}
