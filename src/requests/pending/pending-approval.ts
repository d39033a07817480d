import { mayAnswer } from '../../domain/policy/may-answer';
import type { Principal } from '../../domain/policy/policy';
import type { OpenApproval } from '../../ledger/queries/open-approvals';
import { callWords } from '../words/call-words';
import { commandText } from '../words/command-text';
import { byWhom } from './by-whom';
import type { Pending } from './pending';

/** A request for approval, with all that an answer is about. `principals`: whom configuration names. */
export function pendingApproval(
  tenant: string,
  { attemptId, ...request }: OpenApproval,
  principals: readonly Principal[],
): Pending {
  const { actionId, tool, args } = request;
  const answered = request.answers.map((answer) => answer.by);
  const by = byWhom(principals, (one) => mayAnswer(request, one) && !answered.includes(one.name));
  const place = actionId.slice(attemptId.length + 1);
  return {
    kind: 'approval',
    attemptId,
    ...request,
    text: callWords(tool, args),
    command: commandText(tenant, 'approve', attemptId, place, ...by),
    or: commandText(tenant, 'deny', attemptId, place, ...by, '--reason "…"'),
  };
}
