import { mayAnswer } from './may-answer';
import type { Channel } from './policy';
import { type Speaker, whyUnheard } from './why-unheard';

/**
 * Whether a person's answer counts for the one request that it means (R5.3, R5.5), decided from facts alone.
 *
 *   I1  An answer means an action by its id, or, where just one action waits, by what it is bound to; never by guess.
 *   I2  It counts once a person, and only from somebody who is asked, through a channel that the rule accepts.
 *   I3  What is over stays as it is: a late answer changes nothing. At the instant of expiry the request is over.
 *   I4  One "no" denies; "yes" needs as many people as the rule says.
 */
export type RequestState = 'open' | 'granted' | 'denied' | 'expired' | 'voided' | 'spent';

export interface AskedRequest {
  /** The action's id. */
  readonly action: string;
  readonly binding: string;
  readonly state: RequestState;
  /** Names, or `role:<role>`; empty: any principal, or anybody where none is configured. */
  readonly approvers: readonly string[];
  readonly needed: number;
  readonly channel: Channel;
  /** Ms since the epoch, by the workflow's clock. */
  readonly expiresAt: number;
  readonly answers: readonly { readonly by: string; readonly answer: 'approve' | 'deny' }[];
}
export interface Answer {
  readonly answer: 'approve' | 'deny';
  readonly by: string;
  readonly channel: Channel;
  readonly actionId?: string;
  readonly binding?: string;
}
export interface AnswerFacts extends Speaker {
  /** By the workflow's clock, ms. */
  readonly now: number;
}

export type Judged =
  | { readonly kind: 'counts'; readonly state: 'open' | 'granted' | 'denied'; readonly left: number }
  /** In words for whoever answered, the next step among them. */
  | { readonly kind: 'refused'; readonly why: string };

/** Which request an answer means; undefined `request` where that cannot be told (I1). */
export function requestMeant<R extends AskedRequest>(
  { actionId, binding }: Pick<Answer, 'actionId' | 'binding'>,
  named: R | undefined,
  waiting: readonly R[],
): { readonly request: R } | { readonly why: string } {
  if (actionId !== undefined) {
    if (named) return { request: named };
    return { why: `${actionId} asks for no approval; "holdfast inbox" lists what does.` };
  }
  if (binding === undefined) return { why: 'Say which action is meant: its actionId, or the binding of its request.' };
  const [only, ...others] = waiting;
  if (!only) return { why: 'No action of this attempt waits for an approval; it may have been answered already.' };
  if (others.length > 0) return { why: `${waiting.length} actions wait: say which by its actionId.` };
  return { request: only };
}

export function judgeAnswer(request: AskedRequest, given: Answer, facts: AnswerFacts): Judged {
  const why = whyNot(request, given, facts);
  if (why !== undefined) return { kind: 'refused', why };
  if (given.answer === 'deny') return { kind: 'counts', state: 'denied', left: 0 }; // I4
  const left = request.needed - request.answers.filter(({ answer }) => answer === 'approve').length - 1;
  return { kind: 'counts', state: left > 0 ? 'open' : 'granted', left: Math.max(left, 0) };
}

function whyNot(request: AskedRequest, given: Answer, facts: AnswerFacts): string | undefined {
  if (given.binding !== undefined && given.binding !== request.binding)
    return `${request.action} asks under another binding (${short(request.binding)}): what was looked at is not what would be done. Look at it again.`;
  if (request.answers.some(({ by }) => by === given.by)) {
    const more = request.state === 'open' ? ' Another person has to answer.' : '';
    return `${given.by} has answered this request already.${more}`; // I2
  }
  return whyOver(request, facts.now) ?? whyNobody(request, given, facts);
}

/** I3 */
function whyOver({ action, state, expiresAt }: AskedRequest, now: number): string | undefined {
  switch (state) {
    case 'open':
      return now >= expiresAt ? expired(action) : undefined;
    case 'granted':
      return `${action} was approved already. To take that back: "holdfast revoke --approval ${action}".`;
    case 'denied':
      return `${action} was denied already; only a new request can be approved.`;
    case 'expired':
      return expired(action);
    case 'voided':
      return `The request of ${action} was withdrawn; nothing waits for this answer.`;
    case 'spent':
      return `${action} was approved and has been carried out. "holdfast effects" shows what came of it.`;
  }
}

const expired = (action: string) =>
  `The request of ${action} has expired. If it is still wanted, ask the agent to try again ("holdfast say").`;

/** I2 */
function whyNobody(request: AskedRequest, { by, channel }: Answer, facts: AnswerFacts): string | undefined {
  const unheard = whyUnheard(by, facts);
  if (unheard !== undefined) return unheard;
  if (request.channel === 'authenticated' && channel !== 'authenticated')
    return `The rule accepts only an answer of somebody who is signed in: answer through the gateway.`;
  if (mayAnswer(request, facts.principal ?? { name: by, roles: [] })) return undefined;
  return `Policy asks ${request.approvers.join(' or ')}, and ${by} is none of these; one of them has to answer.`;
}

const short = (binding: string) => `${binding.slice(0, 12)}…`;
