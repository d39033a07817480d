import { type OpenApproval, openApprovals } from '../../ledger/queries/open-approvals';
import type { AttemptRef } from '../../protocol/ids';
import { type Answered, answerApproval } from '../../requests/acts/answer-approval';
import type { Outcome } from '../../requests/messages/outcome-of';
import { untaken } from '../../requests/messages/untaken';
import { find } from '../../requests/naming/find';
import { pendingApproval } from '../../requests/pending/pending-approval';
import type { Session } from '../../requests/session';
import { callWords } from '../../requests/words/call-words';
import { plural } from '../../requests/words/words';
import type { CommonOptions, FollowOptions } from '../common-options';
import { conclude } from '../conclude';
import { type ExitCode, exitCodes } from '../exit-codes';
import { goesOn } from '../goes-on';
import { printJson } from '../output';
import { withSession } from '../session';
import { tell } from '../tell';
import { voidWords } from '../void-words';

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
    const { reason, binding } = options;
    const said = await answerApproval(session, root, { kind, action, reason, binding });
    const { ref, actionId, messageId, fate, left, outcome, since } = said;
    const { name: by } = session.sender;
    const later = fate === 'waiting' ? await untaken(session, ref, kind) : undefined;
    const told = { actionId, messageId, answer: kind, by, fate, left, outcome: outcome?.kind ?? null };
    const words = async () => later ?? (await answered(session, kind, said));
    if (options.watch || options.wait) {
      if (!options.json) tell(session, await words());
      return conclude(session, ref, { ...options, from: since, extra: told });
    }
    if (options.json) printJson({ attemptId: ref.id, ...told });
    else tell(session, await words());
    return exitOf(outcome);
  });
}

/** What is void changed nothing: it is to be answered again, or there is nothing left to answer. */
function exitOf(outcome: Outcome | undefined): ExitCode {
  if (outcome?.kind !== 'void') return exitCodes.done;
  return outcome.again ? exitCodes.paused : exitCodes.usage;
}

async function answered(session: Session, kind: Kind, said: Answered): Promise<string> {
  const { request, actionId, left, outcome } = said;
  const { name: by } = session.sender;
  const call = request === undefined ? '' : `: ${callWords(request.tool, request.args)}`;
  const done = `${kind === 'approve' ? 'Approved' : 'Denied'} by ${by}: ${actionId}${call}.`;
  if (kind === 'deny') return `${done} The agent is told so.`;
  if (left > 0) return `${done} ${plural(left, 'more approval')} needed, of ${whoOf(request)} other than ${by}.`;
  return `${done} ${await followsWords(session, said, outcome ?? { kind: 'counts' })}`;
}

async function followsWords(session: Session, { ref, request, actionId }: Answered, outcome: Outcome): Promise<string> {
  switch (outcome.kind) {
    case 'carried_out':
      return 'It is carried out.';
    case 'counts':
      return request === undefined ? 'It counts.' : await goesOn(session, ref, request, session.sender.name);
    case 'refused': {
      const revoked =
        request && outcome.code === 'REVOKED' ? await goesOn(session, ref, request, session.sender.name) : undefined;
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
