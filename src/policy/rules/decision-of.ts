import { roleOf } from '../../domain/policy/names';
import { defaultApprovalExpiryMs } from '../../domain/policy/no-match';
import type { ApprovalTerms, Channel, Constraint, Decision } from '../../domain/policy/policy';
import type { ConstraintText, RuleText } from './policy-schema';

/** What a rule decides, with every default filled in. */
export function decisionOf(rule: RuleText, singleUser: boolean): Decision {
  switch (rule.decision) {
    case 'allow':
      return { rule: rule.id, kind: 'allow' };
    case 'constrained_allow':
      return { rule: rule.id, kind: 'constrained_allow', constraints: rule.constraints.flatMap(constraintsOf) };
    case 'require_approval':
      return { rule: rule.id, kind: 'require_approval', terms: termsOf(rule, singleUser) };
    case 'deny': {
      const reason = rule.reason ?? `the rule "${rule.id}" denies it`;
      const { escalation } = rule;
      if (escalation === undefined) return { rule: rule.id, kind: 'deny', reason };
      return { rule: rule.id, kind: 'deny', reason, escalation: termsOf(escalation, singleUser) };
    }
  }
}

interface TermsText {
  readonly approvers?: readonly string[] | undefined;
  readonly approvals?: number | undefined;
  /** Ms. */
  readonly expiresIn?: number | undefined;
  readonly channel?: Channel | undefined;
}

/** Whether an answer has to be authenticated where the rule does not say: who answers matters there. */
function provesItself({ approvers = [], approvals = 1, channel }: TermsText): boolean {
  return channel === undefined && (approvals > 1 || approvers.some((approver) => roleOf(approver) !== undefined));
}

function termsOf(text: TermsText, singleUser: boolean): ApprovalTerms {
  const { approvers = [], approvals = 1, expiresIn, channel } = text;
  return {
    approvers: [...new Set(approvers)].sort(),
    approvals,
    expiresInMs: expiresIn ?? defaultApprovalExpiryMs,
    channel: channel ?? (provesItself(text) && !singleUser ? 'authenticated' : 'asserted'),
  };
}

/** Whether a single person's installation takes answers for this rule that another would not. */
export function isRelaxed(rule: RuleText, singleUser: boolean): boolean {
  if (!singleUser) return false;
  if (rule.decision === 'require_approval') return provesItself(rule);
  return rule.decision === 'deny' && rule.escalation !== undefined && provesItself(rule.escalation);
}

function constraintsOf(text: ConstraintText): Constraint[] {
  const { pathPrefix, hosts, maxAmount, readOnlyRole, timeLimit, callsPerHour } = text;
  const constraints: Constraint[] = [];
  if (pathPrefix !== undefined) constraints.push({ kind: 'pathPrefix', prefix: pathPrefix });
  if (hosts !== undefined) constraints.push({ kind: 'hosts', hosts: [...new Set(hosts)].sort() });
  if (maxAmount !== undefined) constraints.push({ kind: 'maxAmount', ...maxAmount });
  if (readOnlyRole !== undefined) constraints.push({ kind: 'readOnlyRole' });
  if (timeLimit !== undefined) constraints.push({ kind: 'timeLimit', ms: timeLimit });
  if (callsPerHour !== undefined) constraints.push({ kind: 'callsPerHour', max: callsPerHour });
  return constraints;
}
