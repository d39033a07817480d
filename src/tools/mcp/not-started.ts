import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { errorCode } from '../../domain/failure/error-code';
import { callFailure } from './call-failure';
import type { McpServerConfig } from './mcp-config';
import { SecretNotSet } from './settings';

/** A server that could not be started or reached; the message is for the person who wrote the configuration. */
export class McpNotStarted extends Error {
  constructor({ name, transport }: McpServerConfig, cause: unknown, said: string, lastWords: string) {
    const how = transport.kind === 'http' ? transport.url : `${transport.command}, in ${transport.cwd}`;
    const words = lastWords === '' ? '' : ` It said: ${lastWords}`;
    super(`The MCP server "${name}" did not start (${how}): ${reason(name, cause, said)}${words}`, { cause });
    this.name = 'McpNotStarted';
  }
}

function reason(name: string, cause: unknown, said: string): string {
  if (cause instanceof SecretNotSet) return `${cause.message}.`;
  switch (cause instanceof SdkError ? cause.code : errorCode(cause)) {
    case 'ENOENT':
      return 'there is no such program, or no such folder.';
    case 'EACCES':
      return 'the program may not be run.';
    case SdkErrorCode.ConnectionClosed:
      return 'it ended before it answered.';
    case SdkErrorCode.RequestTimeout:
      return 'it did not answer in time.';
    default:
      return callFailure(name, cause, said).message;
  }
}
