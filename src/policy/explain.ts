import { noMatchRule } from '../domain/policy/no-match';
import type { Decision, PolicyFacts } from '../domain/policy/policy';
import type { Location } from '../located-yaml/input-error';
import type { Policy } from './create-policy';
import { judgeRule, type Rule } from './rules/rule';

/** What one rule says of a call. */
export interface ExplainedRule {
  readonly id: string;
  readonly at: Location;
  readonly decision: Decision['kind'];
  /** `missing`: the condition asks for an argument that the call does not have; `failed`: it cannot be judged. */
  readonly outcome: 'matched' | 'not_matched' | 'exempt' | 'missing' | 'failed';
  /** One sentence. */
  readonly why: string;
  /** The decision is this rule's. */
  readonly decides: boolean;
}
export interface Explanation {
  readonly version: string;
  readonly decision: Decision;
  /** Why the decision is what it is, in one sentence. */
  readonly why: string;
  readonly rules: readonly ExplainedRule[];
}

/** Every rule's word on a call, whether or not it came to be asked, and whose decides. Never throws. */
export function explain(policy: Policy, facts: PolicyFacts): Explanation {
  const decision = policy.decide(facts);
  const rules = policy.rules.map((rule) => explained(rule, facts, decision));
  const decider = rules.find(({ decides }) => decides);
  return { version: policy.version, decision, why: whyDecided(decision, decider, facts), rules };
}

function explained(rule: Rule, facts: PolicyFacts, decision: Decision): ExplainedRule {
  const { id, at } = rule;
  return { id, at, decision: rule.decision.kind, decides: decision.rule === id, ...outcomeOf(rule, facts) };
}

function outcomeOf(rule: Rule, facts: PolicyFacts): Pick<ExplainedRule, 'outcome' | 'why'> {
  const verdict = judgeRule(rule, facts);
  switch (verdict.kind) {
    case 'exempt':
      return { outcome: 'exempt', why: `${facts.tool} is exempt from it` };
    case 'failed':
      return { outcome: 'failed', why: verdict.why };
    case 'match':
      return { outcome: 'matched', why: rule.condition ? `${rule.condition.text} is true` : 'it speaks of every call' };
    case 'no_match':
      return 'missing' in verdict
        ? { outcome: 'missing', why: `the call does not have what it asks for: ${verdict.missing}` }
        : { outcome: 'not_matched', why: `${rule.condition?.text} is false` };
  }
}

function whyDecided(decision: Decision, decider: ExplainedRule | undefined, { effect }: PolicyFacts): string {
  if (decider === undefined || decision.rule === noMatchRule) {
    return effect === 'none' ? 'no rule matches, and a read is then allowed' : 'no rule matches, and a write then asks';
  }
  const { file, line } = decider.at;
  const named = `"${decider.id}" (${file}:${line})`;
  if (decider.outcome === 'failed') return `${named} cannot be judged on this call, which is a denial`;
  if (decision.kind === 'deny') return `${named} is the first deny that matches, and a deny wins wherever it stands`;
  return `no deny matches, and ${named} is the first rule that does`;
}
