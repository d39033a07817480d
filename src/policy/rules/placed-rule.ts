import type { PolicyProblem } from './policy-problem';
import type { Rule } from './rule';
import type { RuleProblem } from './rule-problem';

/** A rule, and how a problem of it is placed in its file. */
export interface PlacedRule {
  readonly rule: Rule;
  readonly place: (problem: RuleProblem) => PolicyProblem;
}
