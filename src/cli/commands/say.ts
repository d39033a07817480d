import { attemptStatus } from '../../ledger/queries/attempt-status';
import type { AttemptRef } from '../../protocol/ids';
import { attemptDocument } from '../attempt-document';
import type { CommonOptions, FollowOptions } from '../common-options';
import { conclude } from '../conclude';
import { deliver } from '../deliver';
import { type ExitCode, exitCodes } from '../exit-codes';
import { find } from '../find';
import { checkedMessage } from '../message-text';
import { printJson } from '../output';
import { rejection } from '../rejection';
import { type Said, sayInThread } from '../say-in-thread';
import { byLogin, loginName } from '../send';
import { type Session, withSession } from '../session';
import { tell, tellAside } from '../tell';
import { untaken } from '../untaken';

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
    const body = { text: checked, by: options.by ?? loginName() };
    return options.revise
      ? await revise(session, ref, body, sequence, options)
      : await speak(session, ref, body, sequence, options);
  });
}

type Body = { readonly text: string; readonly by: string };

async function speak(
  session: Session,
  ref: AttemptRef,
  body: Body,
  from: number,
  options: SayOptions,
): Promise<ExitCode> {
  const patient = options.watch === true || options.wait === true;
  const said = await sayInThread(session, ref, body, { patient });
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
  body: Body,
  from: number,
  options: SayOptions,
): Promise<ExitCode> {
  const patient = options.watch === true || options.wait === true;
  const message = { kind: 'say', body: { ...body, revise: true } } as const;
  const { messageId, fate } = await deliver(session, ref, message, { patient });
  if (fate.kind === 'rejected') throw rejection(ref, 'revision', fate.why, exitCodes.usage, byLogin(session, options));
  const said = { messageId, fate: fate.kind };
  if (patient) return conclude(session, ref, { ...options, from, extra: said });
  const text =
    fate.kind === 'waiting'
      ? await untaken(session, ref, 'revision')
      : `The goal of ${ref.id} is revised; what it had proposed and not done is decided anew. Follow it with \`holdfast watch ${ref.id}\`.`;
  if (options.json) printJson({ attemptId: ref.id, ...said });
  else tell(session, text);
  return exitCodes.done;
}
