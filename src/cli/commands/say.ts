import { attemptStatus } from '../../ledger/queries/attempt-status';
import type { AttemptRef } from '../../protocol/ids';
import { reviseGoal } from '../../requests/acts/revise-goal';
import { type Said, sayInThread } from '../../requests/acts/say-in-thread';
import { attemptDocument } from '../../requests/documents/attempt-document';
import { checkedMessage } from '../../requests/messages/message-text';
import { untaken } from '../../requests/messages/untaken';
import { find } from '../../requests/naming/find';
import type { Session } from '../../requests/session';
import type { CommonOptions, FollowOptions } from '../common-options';
import { conclude } from '../conclude';
import { type ExitCode, exitCodes } from '../exit-codes';
import { printJson } from '../output';
import { withSession } from '../session';
import { tell, tellAside } from '../tell';

export interface SayOptions extends CommonOptions, FollowOptions {
  readonly by?: string;
  /** It revises the goal (R1.2). */
  readonly revise?: boolean;
}

/** Only `resume` moves what is suspended; a word is kept for it. */
async function warn(session: Session, ref: AttemptRef): Promise<void> {
  for (const pending of (await attemptDocument(session, ref)).pending) {
    if (pending.kind !== 'budget' && pending.kind !== 'suspended') continue;
    tellAside(session, `${ref.id} is SUSPENDED: it hears this when it goes on. \`${pending.command}\` lets it.`);
  }
}

/** A user message to an attempt: an answer, a revision of the goal, or the next turn of a dialog that has completed. */
export function say(given: string, text: string, options: SayOptions): Promise<ExitCode> {
  const checked = checkedMessage(text);
  return withSession(options, async (session) => {
    const ref = await find(session, given);
    const { sequence, state } = await attemptStatus(session.pool, ref);
    if (state === 'SUSPENDED') await warn(session, ref);
    return options.revise
      ? await revise(session, ref, checked, sequence, options)
      : await speak(session, ref, checked, sequence, options);
  });
}

async function speak(
  session: Session,
  ref: AttemptRef,
  text: string,
  from: number,
  options: SayOptions,
): Promise<ExitCode> {
  const patient = options.watch === true || options.wait === true;
  const said = await sayInThread(session, ref, { text, patient });
  const { messageId, ref: heard, as, fate } = said;
  const told = { messageId, fate, ...(as === 'named' ? {} : { continues: ref.id }) };
  if (patient) return conclude(session, heard, { ...options, from: as === 'named' ? from : 0, extra: told });
  const words = fate === 'waiting' ? await untaken(session, heard, 'say') : toldWords(ref, heard, as);
  if (options.json) printJson({ attemptId: heard.id, ...told });
  else tell(session, words);
  return exitCodes.done;
}

function toldWords(named: AttemptRef, { id }: AttemptRef, as: Said['as']): string {
  const follow = `Follow it with \`holdfast watch ${id}\`.`;
  switch (as) {
    case 'named':
      return `Told ${id}. ${follow}`;
    case 'newest':
      return `${named.id} has completed and its conversation goes on in ${id}, which was told. ${follow}`;
    case 'next':
      return `${named.id} has completed; the conversation goes on as ${id}. ${follow}`;
  }
}

/** Whether a revision counts is waited for: whoever revises a goal should know under which one the next step is taken. */
async function revise(
  session: Session,
  ref: AttemptRef,
  text: string,
  from: number,
  options: SayOptions,
): Promise<ExitCode> {
  const patient = options.watch === true || options.wait === true;
  const said = await reviseGoal(session, ref, { text, patient });
  if (patient) return conclude(session, ref, { ...options, from, extra: said });
  const words =
    said.fate === 'waiting'
      ? await untaken(session, ref, 'revision')
      : `The goal of ${ref.id} is revised; what it had proposed and not done is decided anew. Follow it with \`holdfast watch ${ref.id}\`.`;
  if (options.json) printJson({ attemptId: ref.id, ...said });
  else tell(session, words);
  return exitCodes.done;
}
