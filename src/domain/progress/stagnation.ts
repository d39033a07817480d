import type { Intervention } from './intervention';

/**
 * How much an action that brought nothing new weighs (R7.2), and what follows of the sum.
 *
 *   I1  An action is light where honest work looks the same for a while: a first look back at what was seen. A call that was
 *       not made before and succeeds is lighter still, whatever others answered (one of many servers, each healthy): only
 *       some two hundred of them in a row are too many. One that was not made before and comes back empty-handed weighs nothing: twenty
 *       searches that find nothing are an answer.
 *   I2  Everything else that was known weighs double: the same error again, a third look at the same.
 *   I3  Anything new sets the sum to zero.
 *   I4  The actions of one step bring the sum to the next rung at most: no rung is passed before the model was shown it (R7.3).
 */
export const newCallWeight = 1;
export const lightWeight = 12;
export const fullWeight = 24;

/** Four full actions. */
export const warnAt = 4 * fullWeight;
/** Six; the one that is refused counts as the seventh, so that one more runs before the end. */
export const replanAt = 6 * fullWeight;
/** Eight. */
export const endAt = 8 * fullWeight;

/** An answer of fewer tokens is next to none: `No matches.`, `[]`, `OK`. */
export const emptyHandedTokens = 30;

export function stagnationAt(sum: number): Intervention {
  if (sum >= endAt) return 'end';
  if (sum >= replanAt && sum < replanAt + fullWeight) return 'replan';
  return sum >= warnAt ? 'warn' : 'none';
}

/** Sums that something else follows from. */
const rungs = [warnAt, replanAt, replanAt + fullWeight, endAt];

/** The sum with one more action; `before`: the sum that its step is judged by. */
export function heavier(sum: number, weight: number, before: number): number {
  const nextRung = rungs.find((rung) => rung > before) ?? Number.POSITIVE_INFINITY;
  return sum < nextRung ? sum + weight : sum; // I4
}
