import { mayAnswer } from '../../domain/policy/may-answer';
import { roleOf } from '../../domain/policy/names';
import type { ApprovalTerms, Principal } from '../../domain/policy/policy';
import type { Rule } from '../rules/rule';
import { type RuleProblem, warningAt } from '../rules/rule-problem';

/** Approvals that nobody, or too few, can give. */
export function checkApprovers({ decision }: Rule, principals: readonly Principal[]): readonly RuleProblem[] {
  switch (decision.kind) {
    case 'require_approval':
      return ofTerms(decision.terms, [], principals);
    case 'deny':
      return decision.escalation ? ofTerms(decision.escalation, ['escalation'], principals) : [];
    case 'allow':
    case 'constrained_allow':
      return [];
  }
}

function ofTerms(
  terms: ApprovalTerms,
  path: readonly PropertyKey[],
  principals: readonly Principal[],
): readonly RuleProblem[] {
  const approvers = [...path, 'approvers'];
  const unknown = terms.approvers.flatMap((approver) => {
    const why = whyNobody(approver, principals);
    return why === undefined ? [] : [warningAt(approvers, why)];
  });
  if (unknown.length > 0) return unknown;

  // Without principals, whoever answers is taken at their word, and a list of names says how many there may be.
  const able =
    principals.length > 0 ? principals.filter((one) => mayAnswer(terms, one)).map(({ name }) => name) : terms.approvers;
  if (able.length >= terms.approvals || (principals.length === 0 && able.length === 0)) return [];
  const only = able.length === 0 ? 'nobody may' : `only ${able.join(', ')} may`;
  return [warningAt([...path, 'approvals'], `${terms.approvals} people must say yes, and ${only}`)];
}

function whyNobody(approver: string, principals: readonly Principal[]): string | undefined {
  const role = roleOf(approver);
  if (role !== undefined) {
    return principals.some(({ roles }) => roles.includes(role)) ? undefined : `no principal has the role "${role}"`;
  }
  if (principals.length === 0 || principals.some(({ name }) => name === approver)) return undefined;
  return `no principal is named "${approver}"; there are ${principals.map(({ name }) => name).join(', ')}`;
}
