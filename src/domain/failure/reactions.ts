import type { Reason } from '../attempt/states';
import type { Failure, FailureClass } from './failure';

/**
 * What follows a failed try, decided from its class alone (R8.1, R8.5).
 *
 *   I1  Each class has one row, and nothing else of a failure but Retry-After is looked at.
 *   I2  A try is repeated at most `retryDelaysMs.length` times on the same model or action, without asking the model.
 *   I3  Nobody is asked again earlier than their Retry-After said.
 */
export type Reaction =
  | { readonly kind: 'retry'; readonly afterMs: number }
  /** Another model of the fallback order; where there is none left, and for a tool, a pause with reason `blocked`. */
  | { readonly kind: 'next_model' }
  /** The model is shown the failure and decides. */
  | { readonly kind: 'observe' }
  | { readonly kind: 'pause'; readonly reason: Reason };

interface Rule {
  readonly retry: boolean;
  /** Where no try is left, or none helps. */
  readonly otherwise: Exclude<Reaction, { kind: 'retry' }>;
}

const observe = { kind: 'observe' } as const;
const nextModel = { kind: 'next_model' } as const;

// biome-ignore format: a table is read by its columns
export const reactionTable: Readonly<Record<FailureClass, Rule>> = {
  model_transient:      { retry: true,  otherwise: nextModel },
  model_semantic:       { retry: false, otherwise: observe },
  policy_denied:        { retry: false, otherwise: observe },
  tool_transient:       { retry: true,  otherwise: observe },
  tool_argument:        { retry: false, otherwise: observe },
  tool_business:        { retry: false, otherwise: observe },
  state_conflict:       { retry: false, otherwise: observe },
  environment_drift:    { retry: false, otherwise: observe },
  verification_failure: { retry: false, otherwise: observe },
  budget_exhausted:     { retry: false, otherwise: { kind: 'pause', reason: 'budget_exceeded' } },
  unknown_effect:       { retry: false, otherwise: { kind: 'pause', reason: 'reconcile_required' } },
  unrecoverable:        { retry: false, otherwise: nextModel },
};

/** Waits before the second, third and fourth try, ms (R8.5). */
export const retryDelaysMs: readonly number[] = [1_000, 2_000, 4_000];

/** Part of a delay by which it is moved at random, so that attempts that failed together do not return together. */
export const jitterShare = 0.25;

/** A longer Retry-After is not waited for, ms: it would eat a tenth of the default run time in one wait. */
export const retryAfterMaxMs = 60_000;

/**
 * Whether a failure is followed by another try, so that nobody has to see it. `tries`: those made so far on this model
 * or action, the failed one included. The answer needs no randomness, so an activity can ask it beside the workflow.
 */
export function isRetried(failure: Failure, tries: number): boolean {
  return (
    reactionTable[failure.class].retry &&
    tries <= retryDelaysMs.length &&
    (failure.retryAfterMs ?? 0) <= retryAfterMaxMs
  );
}

/** `tries` as in `isRetried`. `random`: in [0, 1); called once for a retry and not at all otherwise. */
export function reactTo(failure: Failure, tries: number, random: () => number): Reaction {
  const delayMs = retryDelaysMs[tries - 1];
  if (delayMs === undefined || !isRetried(failure, tries)) return reactionTable[failure.class].otherwise;

  const swing = random();
  const askedMs = failure.retryAfterMs ?? 0;
  const backoffMs = delayMs * (1 - jitterShare + 2 * jitterShare * swing);
  const heededMs = askedMs + delayMs * jitterShare * swing; // I3
  return { kind: 'retry', afterMs: Math.round(askedMs > 0 ? Math.max(backoffMs, heededMs) : backoffMs) };
}
