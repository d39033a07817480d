import type { ToolPort } from '../activities/ports';
import type { Config } from '../config';
import { createLogger } from '../logger';
import { loadTools } from '../tools/load-tools';
import { CliError } from './cli-error';
import { exitCodes } from './exit-codes';
import { note } from './output';

/**
 * Hands every tool of the installation to `work`, as a worker has them: MCP servers are started for it, and ended after.
 * Rejects with CliError where one does not start.
 */
export async function withTools<T>(config: Config, work: (tools: ToolPort) => Promise<T>): Promise<T> {
  const { mcp } = config;
  if (mcp.length > 0) note(`Asking ${mcp.map(({ name }) => name).join(', ')} for their tools …`);
  const { tools, close } = await loadTools(config, createLogger('silent', 'cli')).catch((error: unknown) => {
    if (mcp.length === 0 || !(error instanceof Error)) throw error;
    throw new CliError(exitCodes.failed, error.message, 'Correct `tools` or `mcp` in holdfast.yaml.');
  });
  try {
    return await work(tools);
  } finally {
    await close();
  }
}
