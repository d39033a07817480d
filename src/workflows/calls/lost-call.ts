import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  TemporalFailure,
  TimeoutFailure,
  TimeoutType,
} from '@temporalio/common';
import { failureTypes } from '../../protocol/calls';

/** Why an execution of a numbered call gave no answer (M2). */
export type LostCall =
  /** Asked again without end and without counting. */
  | { readonly kind: 'ledger_unavailable' }
  /** It stopped because it was asked to; counted where this run did not ask. */
  | { readonly kind: 'stopped' }
  /** The number is taken by another call: a bug. */
  | { readonly kind: 'mismatch'; readonly message: string }
  /** No worker of the host took it in time; nothing of it ran, and it is not counted. */
  | { readonly kind: 'not_taken' }
  /** The worktree is on a host that lives; not counted. */
  | { readonly kind: 'elsewhere'; readonly host: string }
  | { readonly kind: 'lost'; readonly code: string };

/**
 * Undefined where the error comes from no activity: a bug of this code, which must fail the workflow task. A regular
 * activity's failure comes wrapped, a local one's may come bare.
 */
export function lostCall(error: unknown): LostCall | undefined {
  if (!(error instanceof TemporalFailure)) return undefined;
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof CancelledFailure) return { kind: 'stopped' };
  if (cause instanceof TimeoutFailure && cause.timeoutType === TimeoutType.SCHEDULE_TO_START)
    return { kind: 'not_taken' };
  if (cause instanceof TimeoutFailure) return { kind: 'lost', code: `TIMEOUT_${cause.timeoutType}` };
  if (!(cause instanceof ApplicationFailure)) return { kind: 'lost', code: 'ACTIVITY_FAILED' };
  switch (cause.type) {
    case failureTypes.ledgerUnavailable:
      return { kind: 'ledger_unavailable' };
    case failureTypes.moveMismatch:
      return { kind: 'mismatch', message: cause.message };
    case failureTypes.elsewhere:
      return { kind: 'elsewhere', host: String(cause.details?.[0]) };
    case failureTypes.executionLost:
      return { kind: 'lost', code: 'EXECUTION_LOST' };
    default:
      return { kind: 'lost', code: 'ACTIVITY_FAILED' };
  }
}
