import type { PolicyPort } from '../../../src/activities/ports';
import type { Decision } from '../../../src/domain/policy/policy';

/** Amounts up to this are allowed, and then: one approval, two, none at all. */
export const amounts = { allowed: 50, one: 100, two: 150, denied: 200 } as const;
/** How long a request for approval stands, ms by the workflow's clock. */
export const approvalMs = 60_000;

export const people = ['ana', 'ben', 'cleo'] as const;
/** Who may answer. */
export const approvers: readonly string[] = ['ana', 'ben'];

/** Rules that follow from the amount alone, so that whoever checks a schedule knows what should have been asked. */
export const policy: PolicyPort = {
  version: 'p1',
  hasPrincipals: true,
  principal: (name) => ((people as readonly string[]).includes(name) ? { name, roles: [] } : undefined),
  decide: ({ args }) => decide(Number(args['amount'] ?? 0)),
};

function decide(amount: number): Decision {
  if (amount <= amounts.allowed) return { kind: 'allow', rule: 'small' };
  if (amount > amounts.two) return { kind: 'deny', rule: 'too-much', reason: 'It is too much.' };
  return { kind: 'require_approval', rule: 'asks', terms: termsOf(neededOf(amount)) };
}

/** Distinct people that must say yes. */
export const neededOf = (amount: number) => (amount <= amounts.allowed ? 0 : amount <= amounts.one ? 1 : 2);

const termsOf = (approvals: number) => ({
  approvers,
  approvals,
  expiresInMs: approvalMs,
  channel: 'asserted' as const,
});
