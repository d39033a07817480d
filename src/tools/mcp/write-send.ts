import type { SendResult, WriteTool } from '../../activities/ports';
import { answerOf, errorOf, idOf } from './answer';
import type { McpWriteConfig } from './mcp-config';
import { failedOf, McpFailure } from './mcp-failure';
import type { McpServer } from './mcp-server';
import { refused } from './read-tool';
import { cutOutput } from './result-size';

/**
 * Sends a write (E3): one call, with the key where the server looks for it. An error says nothing about the effect, except
 * one that says so itself, and one that kept the call from being sent (E4).
 */
export function writeSend(server: McpServer, tool: string, config: McpWriteConfig): WriteTool['send'] {
  const { keyArgument, timeoutMs } = config;
  return async (key, args: Readonly<Record<string, unknown>>, { signal }): Promise<SendResult> => {
    const sent = keyArgument === undefined ? args : { ...args, [keyArgument]: key };
    try {
      const answer = answerOf(await server.call(tool, sent, { signal, timeoutMs, idempotencyKey: key, wait: false }));
      if (answer.isError) {
        const { failure, error } = refused(answer);
        if (errorOf(answer).committed === false) return { kind: 'rejected', failure, error };
        throw new Error(`${tool} answered with an error that does not say whether it was done: ${error.message}`);
      }
      const downstreamId = idOf(answer);
      return {
        kind: 'committed',
        output: cutOutput(answer.output),
        ...(downstreamId !== undefined && { downstreamId }),
      };
    } catch (error) {
      if (!(error instanceof McpFailure) || error.sent) throw error;
      const { failure, error: shown } = failedOf(error);
      return { kind: 'rejected', failure, error: shown, notSent: true };
    }
  };
}
