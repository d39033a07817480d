import { type OpenApproval, openApprovals } from '../../ledger/queries/open-approvals';
import { actionNamed } from '../action-name';
import { callWords } from '../call-words';
import type { CommonOptions } from '../common-options';
import { deliver } from '../deliver';
import { type ExitCode, exitCodes } from '../exit-codes';
import { find } from '../find';
import { goesOn } from '../goes-on';
import { printJson, say } from '../output';
import { refusedByPolicy } from '../refused-by-policy';
import { rejection } from '../rejection';
import { byLogin, loginName } from '../send';
import { withSession } from '../session';
import { untaken } from '../untaken';
import { plural } from '../words';

export interface AnswerOptions extends CommonOptions {
  readonly reason?: string;
  readonly by?: string;
  /** What was looked at; the request that is open where left out. */
  readonly binding?: string;
}

/** A person's yes or no to what an action is about to do (R5.3). It counts for the request that is open now, and for no other. */
export function answer(
  kind: 'approve' | 'deny',
  given: string,
  action: string | undefined,
  options: AnswerOptions,
): Promise<ExitCode> {
  return withSession(options, async (session) => {
    const ref = await find(session, given);
    const requestOf = async (id: string) => (await open()).find((request) => request.actionId === id);
    const open = () => openApprovals(session.pool, { tenant: ref.tenant, attempt: ref.key });
    const ids = (await open()).map(({ actionId }) => actionId);
    const actionId = actionNamed(ref, action, { ids, what: 'waits for an approval' });
    const request = await requestOf(actionId);

    const { reason, by = loginName(), binding = request?.binding } = options;
    const body = { actionId, by, ...(reason !== undefined && { reason }), ...(binding !== undefined && { binding }) };
    const { messageId, fate } = await deliver(session, ref, { kind, body });
    const now = fate.kind === 'waiting' ? undefined : await requestOf(actionId);
    if (fate.kind === 'rejected') {
      const policy = refusedByPolicy(now, { ...body, answer: kind, channel: 'asserted' });
      throw rejection(ref, kind, fate.why, policy ? exitCodes.refused : exitCodes.usage, byLogin(session, options));
    }
    const left = now === undefined ? 0 : leftOf(now);
    const later = fate.kind === 'waiting' ? await untaken(session, ref, kind) : undefined;
    if (options.json) printJson({ attemptId: ref.id, actionId, messageId, answer: kind, by, fate: fate.kind, left });
    else {
      const next = kind === 'approve' && request !== undefined ? await goesOn(session, ref, request, by) : undefined;
      say(later ?? answered(kind, request, { actionId, by, left, next }));
    }
    return exitCodes.done;
  });
}

const leftOf = ({ needed, answers }: OpenApproval) =>
  needed - answers.filter(({ answer: said }) => said === 'approve').length;

function answered(
  kind: 'approve' | 'deny',
  request: OpenApproval | undefined,
  {
    actionId,
    by,
    left,
    next = 'It goes on.',
  }: { readonly actionId: string; readonly by: string; readonly left: number; readonly next?: string | undefined },
): string {
  const call = request === undefined ? '' : `: ${callWords(request.tool, request.args)}`;
  const done = `${kind === 'approve' ? 'Approved' : 'Denied'} by ${by}: ${actionId}${call}.`;
  if (left > 0) return `${done} ${plural(left, 'more approval')} needed, of ${whoOf(request)} other than ${by}.`;
  return kind === 'approve' ? `${done} ${next}` : `${done} The agent is told so.`;
}

const whoOf = (request: OpenApproval | undefined) => request?.approvers.join(' or ') || 'somebody';
