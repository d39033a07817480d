import type { PolicyPort } from '../../src/activities/ports';
import type { ApprovalTerms, Decision, PolicyFacts, Principal } from '../../src/domain/policy/policy';

/** A policy of a test: what it decides, and whom it knows. Left out: everything is allowed, and nobody is configured. */
export function testPolicy(
  decide: (facts: PolicyFacts) => Decision = () => ({ kind: 'allow', rule: 'all' }),
  principals: readonly Principal[] = [],
): PolicyPort {
  return {
    version: 'fedcba9876543210',
    decide,
    principal: (name) => principals.find((principal) => principal.name === name),
    hasPrincipals: principals.length > 0,
  };
}

/** Writes outside ask, on terms that a test changes where it matters; reads are allowed. */
export const writesAsk =
  (terms: Partial<ApprovalTerms> = {}) =>
  ({ effect, workspace }: PolicyFacts): Decision =>
    effect === 'none' || workspace
      ? { kind: 'allow', rule: 'reads' }
      : {
          kind: 'require_approval',
          rule: 'writes',
          terms: { approvers: [], approvals: 1, expiresInMs: 60_000, channel: 'asserted', ...terms },
        };
