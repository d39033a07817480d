import type { EffectClass } from '../effect/effect';
import { noMatch } from './no-match';
import type { Decision } from './policy';

/** Whether a rule speaks of a call. `failed`: its condition cannot be judged on this call. */
export type Verdict =
  | { readonly kind: 'match' }
  | { readonly kind: 'no_match' }
  | { readonly kind: 'failed'; readonly why: string };

export interface JudgedRule {
  readonly decision: Decision;
  judge(): Verdict;
}

/**
 * What a policy says of a call (R5.1).
 *
 *   I1  A matching deny decides, wherever it stands; of several the first.
 *   I2  Otherwise the first rule that matches.
 *   I3  A rule that could have decided and cannot be judged denies: nobody knows what it would have said.
 */
export function decide(rules: readonly JudgedRule[], effect: 'none' | EffectClass): Decision {
  let first: Decision | undefined;
  for (const { decision, judge } of rules) {
    if (first !== undefined && decision.kind !== 'deny') continue; // I2: it cannot decide any more
    const verdict = judge();
    switch (verdict.kind) {
      case 'no_match':
        break;
      case 'failed':
        return { rule: decision.rule, kind: 'deny', reason: `the rule cannot be judged on this call: ${verdict.why}` }; // I3
      case 'match':
        if (decision.kind === 'deny') return decision; // I1
        first ??= decision;
    }
  }
  return first ?? noMatch(effect);
}
