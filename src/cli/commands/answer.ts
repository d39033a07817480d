import { attemptStatus } from '../../ledger/queries/attempt-status';
import { type OpenApproval, openApprovals } from '../../ledger/queries/open-approvals';
import type { AttemptRef } from '../../protocol/ids';
import { actionNamed } from '../action-name';
import { type Outcome, outcomeOf } from '../answers/outcome-of';
import { voidWords } from '../answers/void-words';
import { asking } from '../asking';
import { callWords } from '../call-words';
import type { CommonOptions, FollowOptions } from '../common-options';
import { conclude } from '../conclude';
import { deliver } from '../deliver';
import { type ExitCode, exitCodes } from '../exit-codes';
import { find } from '../find';
import { goesOn } from '../goes-on';
import { printJson } from '../output';
import { pendingApproval } from '../pending/pending-approval';
import { refusedByPolicy } from '../refused-by-policy';
import { rejection } from '../rejection';
import { byLogin, loginName } from '../send';
import { type Session, withSession } from '../session';
import { tell } from '../tell';
import { untaken } from '../untaken';
import { plural } from '../words';

export interface AnswerOptions extends CommonOptions, FollowOptions {
  readonly reason?: string;
  readonly by?: string;
  /** What was looked at; the request that is open where left out. */
  readonly binding?: string;
}

type Kind = 'approve' | 'deny';

/** A person's yes or no to what an action is about to do (R5.3). It counts for the request that is open now, and for no other. */
export function answer(
  kind: Kind,
  given: string,
  action: string | undefined,
  options: AnswerOptions,
): Promise<ExitCode> {
  return withSession(options, async (session) => {
    const root = await find(session, given);
    const ref = await asking(session, root, action);
    const requestOf = async (id: string) => (await open()).find((request) => request.actionId === id);
    const open = () => openApprovals(session.pool, { tenant: ref.tenant, attempt: ref.key });
    const ids = (await open()).map(({ actionId }) => actionId);
    const actionId = actionNamed(ref, action, { ids, what: 'waits for an approval' });
    const request = await requestOf(actionId);
    const { sequence } = await attemptStatus(session.pool, ref);

    const { reason, by = loginName(), binding = request?.binding } = options;
    const body = { actionId, by, ...(reason !== undefined && { reason }), ...(binding !== undefined && { binding }) };
    const { messageId, fate } = await deliver(session, ref, { kind, body });
    if (fate.kind === 'rejected') {
      const policy = refusedByPolicy(await requestOf(actionId), { ...body, answer: kind, channel: 'asserted' });
      throw rejection(ref, kind, fate.why, policy ? exitCodes.refused : exitCodes.usage, byLogin(session, options));
    }
    const now = fate.kind === 'waiting' ? undefined : await requestOf(actionId);
    const left = now !== undefined && now.binding === request?.binding ? leftOf(now) : 0;
    const later = fate.kind === 'waiting' ? await untaken(session, ref, kind) : undefined;
    const outcome =
      later === undefined && kind === 'approve' && left === 0
        ? await outcomeOf(session, ref, { messageId, actionId })
        : undefined;
    const told = { actionId, messageId, answer: kind, by, fate: fate.kind, left, outcome: outcome?.kind ?? null };
    const words = async () => later ?? (await answered(session, ref, kind, { request, actionId, by, left, outcome }));
    if (options.watch || options.wait) {
      if (!options.json) tell(session, await words());
      return conclude(session, ref, { ...options, from: sequence, extra: told });
    }
    if (options.json) printJson({ attemptId: ref.id, ...told });
    else tell(session, await words());
    return exitOf(outcome);
  });
}

const leftOf = ({ needed, answers }: OpenApproval) =>
  needed - answers.filter(({ answer: said }) => said === 'approve').length;

/** What is void changed nothing: it is to be answered again, or there is nothing left to answer. */
function exitOf(outcome: Outcome | undefined): ExitCode {
  if (outcome?.kind !== 'void') return exitCodes.done;
  return outcome.again ? exitCodes.paused : exitCodes.usage;
}

interface Said {
  readonly request: OpenApproval | undefined;
  readonly actionId: string;
  readonly by: string;
  readonly left: number;
  readonly outcome: Outcome | undefined;
}

async function answered(session: Session, ref: AttemptRef, kind: Kind, said: Said): Promise<string> {
  const { request, actionId, by, left, outcome } = said;
  const call = request === undefined ? '' : `: ${callWords(request.tool, request.args)}`;
  const done = `${kind === 'approve' ? 'Approved' : 'Denied'} by ${by}: ${actionId}${call}.`;
  if (kind === 'deny') return `${done} The agent is told so.`;
  if (left > 0) return `${done} ${plural(left, 'more approval')} needed, of ${whoOf(request)} other than ${by}.`;
  return `${done} ${await followsWords(session, ref, said, outcome ?? { kind: 'counts' })}`;
}

async function followsWords(
  session: Session,
  ref: AttemptRef,
  { request, actionId, by }: Said,
  outcome: Outcome,
): Promise<string> {
  switch (outcome.kind) {
    case 'carried_out':
      return 'It is carried out.';
    case 'counts':
      return request === undefined ? 'It counts.' : await goesOn(session, ref, request, by);
    case 'refused': {
      const revoked = request && outcome.code === 'REVOKED' ? await goesOn(session, ref, request, by) : undefined;
      return revoked ?? `It is not carried out (${outcome.code}), and the agent is told so.`;
    }
    case 'void': {
      const why = `But that is void: ${voidWords(request?.tool ?? '', outcome.row)}.`;
      if (!outcome.again) return `${why} Nothing is carried out.`;
      return `${why} ${await askedAgain(session, ref, actionId)}`;
    }
  }
}

/** What is asked now, and the command that answers it. */
async function askedAgain({ pool, tenant, config }: Session, ref: AttemptRef, actionId: string): Promise<string> {
  const open = await openApprovals(pool, { tenant, attempt: ref.key });
  const request = open.find((one) => one.actionId === actionId);
  if (request === undefined) return 'It was asked for again, and is answered already.';
  const { command } = pendingApproval(tenant, request, config.policy.principals);
  return `It is asked for again: look at it once more, then \`${command}\`.`;
}

const whoOf = (request: OpenApproval | undefined) => request?.approvers.join(' or ') || 'somebody';
