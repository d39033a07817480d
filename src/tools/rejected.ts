import type { FailedResult } from '../domain/failure/failed';
import { failed } from '../domain/failure/failed';
import { askedWaitMs, isRefusalReason, type RefusalReason, refusals } from '../domain/failure/refusals';

/** The same in every copy of this module: a tool module may be loaded beside another one than the worker runs. */
const mark = Symbol.for('holdfast.rejected');

export interface RejectedOptions {
  /** What the model may do about it; where left out, what follows from `because`. */
  readonly suggestedAction?: string;
  /**
   * What the no was about (R8.2): `business` where left out; `argument`: what was asked for is malformed; `conflict`: the state
   * there is another one, and nothing is written to the target until it was looked at; `credentials`: ours are missing or are
   * not taken, and the attempt waits for a person; `busy`: not now, and the same call is made again.
   */
  readonly because?: RefusalReason;
  /** What the other side asked to wait, ms; of `busy`. */
  readonly retryAfterMs?: number;
}

/**
 * The other side said no: thrown by a write's `send`, it proves that this send took no effect (E4); by a read's `run`, it
 * is the answer. Throw it only for an answer that says so; a timeout or a cut connection says nothing.
 */
export class Rejected extends Error {
  readonly [mark] = true;
  readonly suggestedAction: string;
  readonly because: RefusalReason;
  readonly retryAfterMs: number | undefined;

  constructor(
    /** Upper-case, stable, for the model: `ALREADY_REFUNDED`. */
    readonly code: string,
    message: string,
    options: string | RejectedOptions = {},
  ) {
    super(message);
    this.name = 'Rejected';
    const {
      because = 'business',
      suggestedAction,
      retryAfterMs,
    } = typeof options === 'string' ? { suggestedAction: options } : options;
    this.because = because;
    this.suggestedAction = suggestedAction ?? refusals[because].next;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The answer that a thrown `Rejected` stands for; undefined for any other error. */
export function refusalOf(error: unknown): FailedResult | undefined {
  if (!isRejected(error)) return undefined;
  const { code, message, suggestedAction } = error;
  const because = isRefusalReason(error.because) ? error.because : 'business'; // a module's types are gone
  const retryAfterMs = askedWaitMs(error.retryAfterMs);
  const failure = { class: refusals[because].class, code, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  return failed(failure, message, suggestedAction);
}

function isRejected(error: unknown): error is Rejected {
  return typeof error === 'object' && error !== null && mark in error;
}
