import { ApplicationFailure } from '@temporalio/common';
import { failureTypes } from '../protocol/calls';
import { ElsewhereError, ExecutionLostError, MoveMismatchError } from './errors';
import { LedgerUnavailableError } from './ledger-port';

/** What an activity that gives no answer throws to Temporal (M2); messages hold no content of the attempt. */
export function toFailure(error: unknown): unknown {
  if (error instanceof LedgerUnavailableError) return failure(failureTypes.ledgerUnavailable, error);
  if (error instanceof ExecutionLostError) return failure(failureTypes.executionLost, error);
  if (error instanceof ElsewhereError) return failure(failureTypes.elsewhere, error, [error.host]);
  if (error instanceof MoveMismatchError) return failure(failureTypes.moveMismatch, error);
  return error;
}

function failure(type: string, error: Error, details: readonly string[] = []): ApplicationFailure {
  return ApplicationFailure.create({ type, message: error.message, nonRetryable: true, details: [...details] });
}
