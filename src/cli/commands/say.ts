import { attemptStatus } from '../../ledger/queries/attempt-status';
import type { AttemptRef } from '../../protocol/ids';
import { attemptDocument } from '../attempt-document';
import type { CommonOptions, FollowOptions } from '../common-options';
import { conclude } from '../conclude';
import { type ExitCode, exitCodes } from '../exit-codes';
import { find } from '../find';
import { checkedMessage } from '../message-text';
import { say as line, note, printJson } from '../output';
import { loginName, send } from '../send';
import { type Session, withSession } from '../session';

export interface SayOptions extends CommonOptions, FollowOptions {
  readonly by?: string;
}

/** A budget that is used up lets no word move the attempt. */
async function warn(session: Session, ref: AttemptRef): Promise<void> {
  for (const { text, advice } of (await attemptDocument(session, ref)).pending) {
    note(
      `${ref.id} is SUSPENDED (${text}): it goes on only where its budget allows another turn. ${advice ?? ''}`.trim(),
    );
  }
}

/** A user message to an attempt: an answer, a revision of the goal, or a new turn. */
export function say(given: string, text: string, options: SayOptions): Promise<ExitCode> {
  return withSession(options, async (session) => {
    const ref = await find(session, given);
    const { sequence, state } = await attemptStatus(session.pool, ref);
    if (state === 'SUSPENDED') await warn(session, ref);
    const messageId = await send(session, ref, {
      kind: 'say',
      body: { text: checkedMessage(text), by: options.by ?? loginName() },
    });
    if (options.watch || options.wait)
      return conclude(session, ref, { ...options, from: sequence, extra: { messageId } });
    if (options.json) printJson({ attemptId: ref.id, messageId });
    else line(`Told ${ref.id}. Follow it with \`holdfast watch ${ref.id}\`.`);
    return exitCodes.done;
  });
}
