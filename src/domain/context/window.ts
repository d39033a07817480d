/**
 * Which past steps the model still sees word for word.
 *
 *   I1  The newest steps are shown; at least `visibleStepsMax - blockSteps + 1` of them once that many exist.
 *   I2  The first one shown moves in blocks, so between two moves the view only grows at its end and the provider's
 *       prompt cache hits (R13.5).
 */

/** A view longer than this is mostly tool output that the work has left behind; the ledger keeps it all. */
export const visibleStepsMax = 40;

/** Steps that fall out at once: one cache miss every so many steps. */
export const blockSteps = 20;

/** The first step shown when `currentStep`, counted from 1 and not yet made, is asked for. */
export function firstVisibleStep(currentStep: number): number {
  const past = currentStep - 1;
  const over = Math.max(0, past - visibleStepsMax);
  return Math.ceil(over / blockSteps) * blockSteps + 1;
}
