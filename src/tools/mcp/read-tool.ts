import type { ReadTool } from '../../activities/ports';
import { type FailedResult, failed } from '../../domain/failure/failed';
import { refusals } from '../../domain/failure/refusals';
import { type Answer, answerOf, errorOf } from './answer';
import { failedOf, McpFailure } from './mcp-failure';
import type { McpServer } from './mcp-server';
import { maxResultBytes, tooLarge } from './result-size';

/** Of what a server says of its error, characters: more is no message. */
const errorTextMax = 2_000;

/** Runs a read: what the server or the way to it says no to is its answer. */
export function readRun(server: McpServer, tool: string, timeoutMs: number): ReadTool['run'] {
  return async (args: Readonly<Record<string, unknown>>, { signal }) => {
    try {
      const answer = answerOf(await server.call(tool, args, { signal, timeoutMs, wait: true }));
      if (answer.isError) return refused(answer);
      const bytes = Buffer.byteLength(answer.output);
      return bytes > maxResultBytes
        ? failedOf(tooLarge(server.config.name, bytes))
        : { ok: true, output: answer.output };
    } catch (error) {
      if (error instanceof McpFailure) return failedOf(error);
      throw error;
    }
  };
}

/** An answer of the tool that says no, as the model is shown it. */
export function refused(answer: Answer): FailedResult {
  const { code = 'MCP_TOOL_ERROR', message, because = 'business', retryAfterMs } = errorOf(answer);
  const text = (message ?? answer.output).slice(0, errorTextMax) || 'The tool failed and did not say why.';
  const failure = { class: refusals[because].class, code, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  return failed(failure, text, refusals[because].next);
}
