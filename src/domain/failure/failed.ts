import type { Failure, ModelFacingError } from './failure';

/** What did not succeed, for the runtime and for the model (R8.3); only what passes by itself is worth the same call again. */
export interface FailedResult {
  readonly ok: false;
  readonly failure: Failure;
  readonly error: ModelFacingError;
}

export function failed(failure: Failure, message: string, suggested_action: string): FailedResult {
  const retryable = failure.class === 'tool_transient';
  return { ok: false, failure, error: { code: failure.code, message, retryable, suggested_action } };
}
