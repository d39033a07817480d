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
  /** Whether its condition, which lacks something on a call, might be true if the call had it. Never throws. */
  mightMatch(facts: PolicyFacts): boolean;
  /** Tools that it does not speak of. */
  readonly except: readonly string[];
  readonly reason: string | undefined;
  readonly decision: Decision;
  /** Its approvals would have to come through the gateway, if this were not a single person's installation. */
  readonly relaxed: boolean;
}

/** Never throws. A call escapes no deny by leaving out what the deny asks for: such a rule has failed, and so denies (R5.1). */
export function judgeRule(rule: Rule, facts: PolicyFacts): ConditionVerdict | { kind: 'exempt' } {
  if (rule.except.includes(facts.tool)) return { kind: 'exempt' };
  const verdict = rule.condition?.judge(facts) ?? { kind: 'match' };
  if (!('missing' in verdict) || rule.decision.kind !== 'deny' || !rule.mightMatch(facts)) return verdict;
  return { kind: 'failed', why: `the call leaves out what it asks for: ${verdict.missing}` };
}

/** The same in the terms of a decision. */
export function verdictOf(rule: Rule, facts: PolicyFacts): Verdict {
  const verdict = judgeRule(rule, facts);
  return verdict.kind === 'exempt' ? { kind: 'no_match' } : verdict;
}
