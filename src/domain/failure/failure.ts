/** The classes of failure (R8.1). Code decides the class from typed facts (R8.2); reactions.ts says what follows. */
export const failureClasses = [
  'model_transient',
  'model_semantic',
  'policy_denied',
  'tool_transient',
  'tool_argument',
  'tool_business',
  'state_conflict',
  'environment_drift',
  'verification_failure',
  'budget_exhausted',
  'unknown_effect',
  'unrecoverable',
] as const;
export type FailureClass = (typeof failureClasses)[number];

/** A failure as data: what the workflow branches on, with no content of the call in it. */
export interface Failure {
  readonly class: FailureClass;
  /** Upper-case, stable: `RATE_LIMITED`, `PATCH_CONFLICT`. */
  readonly code: string;
  /** What the other side asked us to wait, in ms (a Retry-After header). */
  readonly retryAfterMs?: number;
}

/** An error as the model sees it (R8.3). */
export interface ModelFacingError {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  readonly suggested_action: string;
}
