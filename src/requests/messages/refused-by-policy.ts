import { type Answer, judgeAnswer } from '../../domain/policy/answer';
import type { OpenApproval } from '../../ledger/queries/open-approvals';

/**
 * Whether a rejected answer was refused for who gave it or how it came: it is, where the same answer would have counted from
 * anybody whom policy names. `request`: as it stands after the rejection; undefined where it is no longer open.
 */
export function refusedByPolicy(request: OpenApproval | undefined, given: Answer): boolean {
  if (request === undefined) return false;
  const asked = {
    ...request,
    action: request.actionId,
    state: 'open',
    expiresAt: Date.parse(request.expiresAt),
    approvers: [],
    channel: 'asserted',
  } as const;
  const anybody = { now: Date.now(), principal: undefined, hasPrincipals: false, revoked: undefined };
  return judgeAnswer(asked, given, anybody).kind === 'counts';
}
