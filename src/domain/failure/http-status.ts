import type { Failure } from './failure';

/**
 * The failure behind the HTTP status of a model's server (R8.2). `errorCode` is the `code` or `type` field of the
 * error's JSON body, where it has one; the text of the message is never looked at.
 */
export function classifyHttpStatus(status: number, errorCode?: string): Failure {
  if (errorCode !== undefined && contextErrors.has(errorCode))
    return { class: 'model_semantic', code: 'CONTEXT_OVERFLOW' };
  if (errorCode !== undefined && quotaErrors.has(errorCode)) return { class: 'unrecoverable', code: 'QUOTA_EXCEEDED' };
  const known = statuses[status];
  if (known) return known;
  if (status >= 500 && status <= 599) return { class: 'model_transient', code: 'SERVER_ERROR' };
  if (status >= 400 && status <= 499) return { class: 'unrecoverable', code: 'BAD_REQUEST' };
  return { class: 'unrecoverable', code: 'UNEXPECTED_STATUS' };
}

/** The request is longer than the model reads; the same one fails everywhere with this model. */
const contextErrors: ReadonlySet<string> = new Set([
  'context_length_exceeded',
  'request_too_large',
  'exceed_context_size_error',
]);

/** Sent with 429 or 400, but no wait helps: somebody has to pay. */
const quotaErrors: ReadonlySet<string> = new Set(['insufficient_quota', 'billing_error', 'billing_hard_limit_reached']);

// biome-ignore format: a table is read by its columns
const statuses: Readonly<Record<number, Failure>> = {
  401: { class: 'unrecoverable',   code: 'UNAUTHORIZED' },
  402: { class: 'unrecoverable',   code: 'QUOTA_EXCEEDED' },
  403: { class: 'unrecoverable',   code: 'UNAUTHORIZED' },
  404: { class: 'unrecoverable',   code: 'MODEL_NOT_FOUND' },
  408: { class: 'model_transient', code: 'REQUEST_TIMEOUT' },
  409: { class: 'model_transient', code: 'CONFLICT' },
  413: { class: 'model_semantic',  code: 'CONTEXT_OVERFLOW' },
  429: { class: 'model_transient', code: 'RATE_LIMITED' },
  503: { class: 'model_transient', code: 'OVERLOADED' },
  529: { class: 'model_transient', code: 'OVERLOADED' },
};
