import type { AuditEventCriterion } from '../../domain/contract/contract';
import type { Verifier } from './verifier';

/** The attempt's own record has an event of the type: that it happened is written by whoever knew it, and never by the model. */
export const checkAuditEvent: Verifier<AuditEventCriterion> = async ({ deps, attempt }, { type }) => {
  const sequence = await deps.ledger.firstEvent(attempt.ref, type);
  const met = sequence !== undefined;
  return {
    kind: 'checked',
    met,
    snapshot: null,
    evidence: {
      detail: met ? '' : `No event of this attempt is of the type ${type}.`,
      ran: `audit_event ${type}`,
      ...(met && { output: `${type}, event ${sequence} of the attempt` }),
    },
  };
};
