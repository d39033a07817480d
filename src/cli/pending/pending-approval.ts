import type { OpenApproval } from '../../ledger/queries/open-approvals';
import { callWords } from '../call-words';
import { commandText } from '../command-text';
import type { Pending } from './pending';

/** A request for approval, with all that an answer is about. */
export function pendingApproval(tenant: string, { attemptId, ...request }: OpenApproval): Pending {
  const { actionId, tool, args } = request;
  const place = actionId.slice(attemptId.length + 1);
  return {
    kind: 'approval',
    attemptId,
    ...request,
    text: callWords(tool, args),
    command: commandText(tenant, 'approve', attemptId, place),
    or: commandText(tenant, 'deny', attemptId, place, '--reason "…"'),
  };
}
