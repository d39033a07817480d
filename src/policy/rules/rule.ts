import type { Verdict } from '../../domain/policy/decide';
import type { Decision, PolicyFacts } from '../../domain/policy/policy';
import type { Location } from '../../located-yaml/input-error';
import type { Condition, ConditionVerdict } from '../condition/condition';

/** A rule that can be asked. */
export interface Rule {
  readonly id: string;
  readonly at: Location;
  /** Undefined: it speaks of every call. */
  readonly condition: Condition | undefined;
  /** Tools that it does not speak of. */
  readonly except: readonly string[];
  readonly reason: string | undefined;
  readonly decision: Decision;
  /** Its approvals would have to come through the gateway, if this were not a single person's installation. */
  readonly relaxed: boolean;
}

/** Never throws. */
export function judgeRule({ condition, except }: Rule, facts: PolicyFacts): ConditionVerdict | { kind: 'exempt' } {
  if (except.includes(facts.tool)) return { kind: 'exempt' };
  return condition?.judge(facts) ?? { kind: 'match' };
}

/** The same in the terms of a decision. */
export function verdictOf(rule: Rule, facts: PolicyFacts): Verdict {
  const verdict = judgeRule(rule, facts);
  return verdict.kind === 'exempt' ? { kind: 'no_match' } : verdict;
}
