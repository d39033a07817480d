import type { FailedResult } from '../domain/failure/failed';
import { failed } from '../domain/failure/failed';

/** The same in every copy of this module: a tool module may be loaded beside another one than the worker runs. */
const mark = Symbol.for('holdfast.rejected');

/**
 * The other side said no: thrown by a write's `send`, it proves that this send took no effect (E4); by a read's `run`, it
 * is the answer. Throw it only for an answer that says so; a timeout or a cut connection says nothing.
 */
export class Rejected extends Error {
  readonly [mark] = true;

  constructor(
    /** Upper-case, stable, for the model: `ALREADY_REFUNDED`. */
    readonly code: string,
    message: string,
    /** What the model may do about it. */
    readonly suggestedAction = 'Change what you ask for, or go another way.',
  ) {
    super(message);
    this.name = 'Rejected';
  }
}

/** The answer that a thrown `Rejected` stands for; undefined for any other error. */
export function refusalOf(error: unknown): FailedResult | undefined {
  if (!isRejected(error)) return undefined;
  return failed({ class: 'tool_business', code: error.code }, error.message, error.suggestedAction);
}

function isRejected(error: unknown): error is Rejected {
  return typeof error === 'object' && error !== null && mark in error;
}
