import { type OpenApproval, openApprovals } from '../../ledger/queries/open-approvals';
import type { AttemptRef } from '../../protocol/ids';
import { send } from '../../requests/messages/send';
import type { Session } from '../../requests/session';
import { callWords } from '../../requests/words/call-words';
import { paint, say } from '../output';
import { row } from '../row';
import { type Asked, type AskOptions, askApproval } from './ask-approval';
import type { OnPause } from './demo-task';

/** Answers what policy asks a person for, as long as somebody is there to ask. */
export function answerApprovals(session: Session, options: AskOptions): OnPause {
  const answered = new Set<string>();
  return async (ref, { state }) => {
    if (state !== 'WAITING_FOR_APPROVAL') return 'over';
    const [request] = await openApprovals(session.pool, { tenant: ref.tenant, attempt: ref.key });
    // One that was answered and still waits did not take the answer; another of the same would not help.
    if (request === undefined || answered.has(request.binding)) return 'over';
    answered.add(request.binding);

    if (!options.quiet) for (const line of requestLines(request)) say(line);
    const asked = await askApproval(options);
    if (options.yes && !options.quiet) say(row('', `approved as ${options.by}, because of --yes`));
    if (asked === 'approve' || asked === 'deny') return answer(session, ref, request, { kind: asked, by: options.by });
    if (!options.quiet) for (const line of howToAnswer(asked, options.by)) say(line);
    return 'over';
  };
}

async function answer(
  session: Session,
  ref: AttemptRef,
  { actionId, binding }: OpenApproval,
  { kind, by }: { kind: 'approve' | 'deny'; by: string },
): Promise<'answered'> {
  await send(session, ref, { kind, body: { actionId, binding, by, reason: 'asked in the demo' } });
  return 'answered';
}

function requestLines({ tool, args, target, rule, approvers, needed }: OpenApproval): readonly string[] {
  return [
    row('asks for', paint('bold', callWords(tool, args))),
    row('', `target ${target} · rule ${rule} · ${needed} of ${approvers.join(', ')}`),
  ];
}

/** Where nobody could be asked, or whoever was asked did not say: how it goes on. */
function howToAnswer(asked: Exclude<Asked, 'approve' | 'deny'>, by: string): readonly string[] {
  const why = asked === 'nobody' ? 'There is no terminal here to ask on, so it waits.' : 'It waits.';
  return [
    row('', why),
    // The shop ends with the demo, so nothing else could carry the refund out.
    row('', `${paint('bold', 'npm run demo -- --yes')} approves as ${by} and goes on with it;`),
    row('', `${paint('bold', 'npm run demo')} on a terminal asks you.`),
  ];
}
