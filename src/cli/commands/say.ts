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

/** Only `resume` moves what is suspended; a word is kept for it. */
async function warn(session: Session, ref: AttemptRef): Promise<void> {
  for (const pending of (await attemptDocument(session, ref)).pending) {
    if (pending.kind !== 'budget' && pending.kind !== 'suspended') continue;
    note(`${ref.id} is SUSPENDED: it hears this when it goes on. \`${pending.command}\` lets it.`);
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
