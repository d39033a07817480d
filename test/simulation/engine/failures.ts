import { ActivityFailure, ApplicationFailure, CancelledFailure, RetryState, TimeoutFailure } from '@temporalio/common';
import { toFailure } from '../../../src/activities/failure-map';
import { failureTypes } from '../../../src/protocol/calls';

/** Failures as Temporal brings them to a workflow. */

export const activityFailure = (cause: Error): ActivityFailure =>
  new ActivityFailure('Activity task failed', 'call', 'm1', RetryState.MAXIMUM_ATTEMPTS_REACHED, 'simulated', cause);

export const timeoutFailure = (type: 'HEARTBEAT' | 'START_TO_CLOSE'): ActivityFailure =>
  activityFailure(new TimeoutFailure('It did not answer', undefined, type));

/** What becomes of an error that an activity threw; one that was asked to stop and stops is cancelled. */
export function failureOf(error: unknown, stopped: boolean): ActivityFailure {
  const thrown = toFailure(error);
  if (stopped && isAbort(thrown)) return activityFailure(new CancelledFailure('Activity cancelled'));
  if (thrown instanceof ApplicationFailure) return activityFailure(thrown);
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return activityFailure(ApplicationFailure.create({ type: nameOf(thrown), message, nonRetryable: true }));
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name : 'Error');
export const isAbort = (error: unknown) => error instanceof CancelledFailure || nameOf(error) === 'AbortError';

/** What an activity throws when it works as it should: nothing was found out, and the same number is called again (M2). */
const expected: readonly string[] = [failureTypes.ledgerUnavailable, failureTypes.executionLost];
/** Settle gives a call elsewhere the time of a lease to end, and is called again. */
const stillRuns = /still runs elsewhere/;

/** Undefined where the failure is one that an activity may have; else what a bug threw. */
export function bugIn(error: Error): string | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (!(cause instanceof ApplicationFailure) || expected.includes(cause.type ?? '')) return undefined;
  return stillRuns.test(cause.message) ? undefined : `${cause.type}: ${cause.message}`;
}
