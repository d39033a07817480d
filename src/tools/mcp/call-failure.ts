import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { errorCode } from '../../domain/failure/error-code';
import { classifyToolStatus } from '../../domain/failure/tool-status';
import { AnswerTooLong } from './bounded-fetch';
import { McpFailure, type McpFailureCode } from './mcp-failure';

/**
 * What a call's error says. `said`: the error in words.
 *
 *   I1  Only what is known on this side says that a call was not sent: there was no connection, and none could be made.
 *   I2  Whatever came back after a request went out, a refusal by HTTP included, says nothing about the effect: a gateway
 *       answers so after the server behind it has done the work (E4).
 */
export function callFailure(server: string, error: unknown, said: string): McpFailure {
  const failure = (code: McpFailureCode, words: string, sent = true) =>
    new McpFailure(code, `The MCP server "${server}" ${words}`, sent);

  if (isTooLong(error)) return failure('MCP_RESULT_TOO_LARGE', 'gave an answer that is too long to be read.');
  if (error instanceof ProtocolError) return failure('MCP_ERROR', `answered with an error: ${said}`);
  if (error instanceof SdkHttpError) return httpFailure(failure, error.status, said);
  if (error instanceof SdkError) return sdkFailure(failure, error.code, said);
  const code = causeCode(error);
  if (code !== undefined && neverConnected.has(code))
    return failure('MCP_UNAVAILABLE', `cannot be reached (${code}).`, false);
  if (code !== undefined) return failure('MCP_CALL_LOST', `gave no answer: ${code}.`);
  return failure('MCP_NONSENSE', `gave an answer that cannot be read: ${said}`);
}

type Failing = (code: McpFailureCode, words: string, sent?: boolean) => McpFailure;

function httpFailure(failure: Failing, status: number | undefined, said: string): McpFailure {
  // The session may be one that the server has forgotten, or the answer a gateway's.
  if (status === 404) return failure('MCP_UNAVAILABLE', 'knows no such session (HTTP 404).');
  const answered = `answered HTTP ${status ?? 'with no status'}: ${said}`;
  // A redirect is no answer of the server: where it leads may be well.
  if (status === undefined || status < 400) return failure('MCP_CALL_LOST', answered);
  switch (classifyToolStatus(status).class) {
    case 'unrecoverable':
      return failure('MCP_REFUSED', `refused the call (HTTP ${status}).`);
    case 'tool_transient':
      return failure('MCP_CALL_LOST', answered);
    default:
      return failure('MCP_HTTP_ERROR', answered);
  }
}

function sdkFailure(failure: Failing, code: string, said: string): McpFailure {
  switch (code) {
    case SdkErrorCode.NotConnected:
      return failure('MCP_UNAVAILABLE', 'is not running at present.', false); // I1
    case SdkErrorCode.ConnectionClosed:
      return failure('MCP_CALL_LOST', 'ended before it answered.');
    case SdkErrorCode.RequestTimeout:
      return failure('MCP_TIMEOUT', 'did not answer in time.');
    default:
      return failure('MCP_NONSENSE', `gave an answer that cannot be read: ${said}`);
  }
}

/** Nobody listened, so nothing was sent (I1); redirects are not followed, so it is the first connection that failed. */
const neverConnected: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** Codes of an error and of what caused it: fetch puts its own words around them. */
function causeCode(error: unknown): string | undefined {
  return chain(error)
    .map(errorCode)
    .find((code) => code !== undefined);
}

/** More came than is read: of one message over a pipe, or of one answer over HTTP. */
export const isTooLong = (error: unknown): boolean =>
  chain(error).some((link) => link instanceof AnswerTooLong || /exceeded maximum size/.test(String(link)));

function chain(error: unknown): readonly unknown[] {
  const links: unknown[] = [];
  for (
    let link = error;
    typeof link === 'object' && link !== null && links.length < 5;
    link = Reflect.get(link, 'cause')
  )
    links.push(link);
  return links;
}
