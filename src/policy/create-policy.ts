import type { PolicyPort } from '../activities/ports';
import { decide } from '../domain/policy/decide';
import { InputError } from '../located-yaml/input-error';
import type { PolicyProblem } from './rules/policy-problem';
import { policyVersion } from './rules/policy-version';
import { type PolicySources, readRules } from './rules/read-rules';
import { type Rule, verdictOf } from './rules/rule';

/** A policy that can be asked, with what people may want to know of it. */
export interface Policy extends PolicyPort {
  readonly rules: readonly Rule[];
  /** It holds all the same. */
  readonly warnings: readonly PolicyProblem[];
}

/** Reads and joins the files once. Throws InputError with every error's place where the policy cannot hold as it is written. */
export function createPolicy(sources: PolicySources): Policy {
  const { rules, problems } = readRules(sources);
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new InputError(errors, 'Correct the policy; "holdfast policy check" reads it again.');

  const principals = new Map(sources.principals.map((principal) => [principal.name, principal]));
  return {
    version: policyVersion(rules),
    rules,
    warnings: problems,
    decide: (facts) =>
      decide(
        rules.map((rule) => ({ decision: rule.decision, judge: () => verdictOf(rule, facts) })),
        facts.effect,
      ),
    principal: (name) => principals.get(name),
    hasPrincipals: principals.size > 0,
  };
}
