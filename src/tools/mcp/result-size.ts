import { McpFailure } from './mcp-failure';

/** Longest result of a read, bytes: a model reads it in pages of 15 KiB, and nobody reads seventy. */
export const maxResultBytes = 1024 * 1024;
/** Kept of a longer result of a write, whose truth is that it was done, characters. */
const keptChars = 256 * 1024;

export const tooLarge = (server: string, bytes: number) =>
  new McpFailure(
    'MCP_RESULT_TOO_LARGE',
    `The MCP server "${server}" gave ${bytes} bytes; at most ${maxResultBytes} are read.`,
    true,
  );

/** The output of a write, its end left out where it is too long. */
export function cutOutput(output: string): string {
  if (Buffer.byteLength(output) <= maxResultBytes) return output;
  return `${output.slice(0, keptChars)}\n[the rest of ${Buffer.byteLength(output)} bytes was not kept; the write was done]`;
}
