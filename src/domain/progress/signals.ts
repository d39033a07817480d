/** Facts by which progress shows across tools (R7.2), at one moment. */
export interface ProgressFacts {
  /** Version of the workspace; absent without one. */
  readonly snapshot?: string;
  /** Plan steps that are done. */
  readonly planDone: number;
  /** Tests that failed when they last ran; absent where none have. */
  readonly failingTests?: number;
  /** Distinct observations seen so far; the same error again is none. */
  readonly evidence: number;
}

/** Whether anything moved between two moments, whatever tools were called between them. */
export function progressed(before: ProgressFacts, after: ProgressFacts): boolean {
  return (
    after.snapshot !== before.snapshot ||
    after.planDone > before.planDone ||
    after.evidence > before.evidence ||
    fewerFailures(before.failingTests, after.failingTests)
  );
}

/** A first run of the tests is news too. */
function fewerFailures(before: number | undefined, after: number | undefined): boolean {
  return after !== undefined && (before === undefined || after < before);
}
