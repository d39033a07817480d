import type { ApprovalTerms, Constraint, Decision } from '../domain/policy/policy';
import { duration, plural } from '../requests/words/words';

/** A decision as one line. */
export function decisionWords(decision: Decision): string {
  switch (decision.kind) {
    case 'allow':
      return 'allow';
    case 'constrained_allow':
      return `allow, held to ${decision.constraints.map(constraintWords).join(', ')}`;
    case 'require_approval':
      return `ask for ${termsWords(decision.terms)}`;
    case 'deny':
      return `deny (${decision.reason})${decision.escalation ? `; asked for again: ${termsWords(decision.escalation)}` : ''}`;
  }
}

function termsWords({ approvers, approvals, expiresInMs, channel }: ApprovalTerms): string {
  const who = approvers.length === 0 ? 'anybody who may answer' : approvers.join(' or ');
  const how = channel === 'authenticated' ? ', signed in' : '';
  return `${plural(approvals, 'approval')} of ${who}${how}, within ${duration(expiresInMs)}`;
}

function constraintWords(constraint: Constraint): string {
  switch (constraint.kind) {
    case 'pathPrefix':
      return `paths below ${constraint.prefix}`;
    case 'hosts':
      return `hosts ${constraint.hosts.join(', ')}`;
    case 'maxAmount':
      return `${constraint.argument} up to ${constraint.max}`;
    case 'readOnlyRole':
      return 'a role that only reads';
    case 'timeLimit':
      return `${duration(constraint.ms)} a call`;
    case 'callsPerHour':
      return `${plural(constraint.max, 'call')} an hour`;
  }
}
