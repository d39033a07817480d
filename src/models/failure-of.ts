import { APICallError, JSONParseError, TypeValidationError } from '@ai-sdk/provider';
import type { Failure } from '../domain/failure/failure';
import { classifyHttpStatus } from '../domain/failure/http-status';
import { classifyNetworkCode } from '../domain/failure/network-code';
import type { StopCause } from './call-guard';
import { errorTypes, networkCode, saysTooLong, statusCode, wordsOf } from './provider-error';
import { retryAfterMs } from './retry-after';

export interface FailedCall {
  readonly failure: Failure;
  /** For a person; may hold secrets that the other side echoed. */
  readonly words: string;
  /** The provider did not take the request, so it bills nothing. */
  readonly refused: boolean;
}

/** What is known of a call beside the error itself. */
export interface CallFacts {
  readonly cause: StopCause | undefined;
  /** A response had begun. */
  readonly responded: boolean;
  /** Part of an answer was read. */
  readonly generated: boolean;
  readonly nowMs: number;
}

/** Why a call failed, by typed facts (R8.2). Undefined where the provider had no part in it: a bug, to be thrown. */
export function failureOf(error: unknown, facts: CallFacts): FailedCall | undefined {
  if (facts.cause !== undefined && facts.cause !== 'caller') return stopped(facts.cause);

  const status = statusCode(error) ?? statusByType(error);
  if (status !== undefined) return byStatus(error, status, facts);
  if (!facts.responded) return byNetwork(error);

  const unreadable = JSONParseError.isInstance(error) || TypeValidationError.isInstance(error);
  const cut = facts.generated && !unreadable;
  return {
    failure: { class: 'model_transient', code: cut ? 'ANSWER_CUT' : 'ANSWER_GARBAGE' },
    words: wordsOf(error),
    refused: false,
  };
}

function stopped(cause: Exclude<StopCause, 'caller'>): FailedCall {
  switch (cause) {
    case 'timeout':
      return {
        failure: { class: 'model_transient', code: 'MODEL_TIMEOUT' },
        words: 'no whole answer within timeoutMs',
        refused: false,
      };
    case 'stalled':
      return {
        failure: { class: 'model_transient', code: 'MODEL_STALLED' },
        words: 'the stream fell silent',
        refused: false,
      };
    case 'too_large':
      return {
        failure: { class: 'model_semantic', code: 'ANSWER_TOO_LARGE' },
        words: 'the answer passed the size limit',
        refused: false,
      };
  }
}

/** What the vendors that have a type for it call it. */
const overflowType = 'context_length_exceeded';

function byStatus(error: unknown, status: number, facts: CallFacts): FailedCall {
  const types = [...errorTypes(error), ...(saysTooLong(error) ? [overflowType] : [])];
  const failures = [undefined, ...types].map((type) => classifyHttpStatus(status, type));
  // A type that says more than the status (a quota that is used up behind a 429) decides.
  const failure = failures.find((candidate) => candidate.code !== failures[0]?.code) ?? classifyHttpStatus(status);
  const waitMs = retryAfterMs(APICallError.isInstance(error) ? error.responseHeaders : undefined, facts.nowMs);
  return {
    failure: { ...failure, ...(waitMs !== undefined && { retryAfterMs: waitMs }) },
    words: `HTTP ${status}: ${wordsOf(error)}`,
    refused: !facts.generated,
  };
}

/** The request cannot have been taken: nobody was there, or they did not get as far as speaking. */
const neverSent: ReadonlySet<string> = new Set([
  'CONNECTION_REFUSED',
  'NAME_NOT_RESOLVED',
  'HOST_UNREACHABLE',
  'TLS_REFUSED',
]);

function byNetwork(error: unknown): FailedCall | undefined {
  const code = networkCode(error);
  const failure = code === undefined ? undefined : classifyNetworkCode(code, 'model');
  return failure && { failure, words: `${code}: ${wordsOf(error)}`, refused: neverSent.has(failure.code) };
}

/** An error inside a stream has a name and no status; these are the names that vendors document. */
const statusOfType: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  context_length_exceeded: 400,
  authentication_error: 401,
  invalid_api_key: 401,
  billing_error: 402,
  insufficient_quota: 402,
  permission_error: 403,
  not_found_error: 404,
  model_not_found: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  api_error: 500,
  server_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

function statusByType(error: unknown): number | undefined {
  for (const type of errorTypes(error)) {
    const status = statusOfType[type];
    if (status !== undefined) return status;
  }
  return undefined;
}
