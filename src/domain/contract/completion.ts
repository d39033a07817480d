import type { Contract } from './contract';

export interface Completion {
  /** The contract is met; only this may be called success (R3.5). */
  readonly met: boolean;
  /** Ids of criteria whose check failed, in the contract's order. */
  readonly unmet: readonly string[];
  /** Ids of criteria that nothing has judged for this candidate. */
  readonly unjudged: readonly string[];
}

/**
 * Whether one candidate meets the contract: each criterion has evidence that says so. What the model said counts for
 * nothing. A dialog without criteria is met by its answer; any other kind without criteria holds nothing that could be
 * met.
 */
export function completion(
  contract: Contract,
  evidence: readonly { readonly criterion: string; readonly met: boolean }[],
): Completion {
  const judged = (id: string) => evidence.filter((row) => row.criterion === id);
  const ids = contract.acceptance.map((criterion) => criterion.id);
  const unjudged = ids.filter((id) => judged(id).length === 0);
  const unmet = ids.filter((id) => judged(id).some((row) => !row.met));
  const bindsNothing = ids.length === 0 && contract.kind !== 'dialog';
  return { met: !bindsNothing && unjudged.length === 0 && unmet.length === 0, unmet, unjudged };
}
