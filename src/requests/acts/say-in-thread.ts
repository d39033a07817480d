import type { MessageFate } from '../../ledger/queries/message-fate';
import { startTurn } from '../../ledger/start-turn';
import type { AttemptRef } from '../../protocol/ids';
import type { Message } from '../../protocol/messages';
import { learnFate } from '../messages/learn-fate';
import { checkedMessage } from '../messages/message-text';
import { rejection } from '../messages/rejection';
import { hasEnded, newMessageId, store } from '../messages/send';
import { installedVersion } from '../running/installed-version';
import { orSealBroken } from '../running/or-seal-broken';
import { requireModel } from '../running/require-model';
import { searchAttributesHere, startRun } from '../running/start-run';
import { runSettings } from '../running/start-snapshot';
import type { Session } from '../session';

export interface SayRequest {
  readonly text: string;
  /** What becomes of it is waited for without end. */
  readonly patient?: boolean;
}

export interface Said {
  readonly messageId: string;
  /** Who heard it: the attempt that was named, or the one that its Thread has come to. */
  readonly ref: AttemptRef;
  /** `next`: a new one, which it begins. */
  readonly as: 'named' | 'newest' | 'next';
  readonly fate: Exclude<MessageFate['kind'], 'rejected'>;
}

type Say = Extract<Message, { kind: 'say' }>;

/**
 * Tells an attempt something, and waits to learn that it was taken (`learnFate`); where it is a dialog that has completed, also
 * one that completed before it took the word, its Thread goes on with it (M8). Rejects with RequestRefused where the word changed
 * nothing, and where the attempt had ended otherwise.
 */
export async function sayInThread(
  session: Session,
  named: AttemptRef,
  { text, patient = false }: SayRequest,
): Promise<Said> {
  const body = { text: checkedMessage(text), by: session.sender.name };
  const message: Say = { kind: 'say', body, id: newMessageId(session) };
  const { id: messageId } = message;
  for (let ref = named; ; ) {
    const fate = await heard(session, ref, message, patient);
    if (fate !== undefined && fate.kind !== 'rejected')
      return { messageId, ref, as: ref.key === named.key ? 'named' : 'newest', fate: fate.kind };
    const turn = await nextTurn(session, ref, message);
    switch (turn.kind) {
      case 'over':
        throw fate ? rejection(ref, { kind: 'say', why: fate.why }) : await hasEnded(session, ref);
      case 'elsewhere':
        ref = turn.ref; // a Thread only grows, so this comes to its end
        continue;
      case 'created':
      case 'known':
        await startRun(session, turn.attempt);
        return { messageId, ref: turn.attempt.ref, as: 'next', fate: 'taken' };
    }
  }
}

/** Undefined: it had ended before. */
async function heard(
  session: Session,
  ref: AttemptRef,
  message: Say,
  patient: boolean,
): Promise<MessageFate | undefined> {
  const stored = await store(session, ref, message);
  return stored === 'ended' ? undefined : await learnFate(session, ref, { id: message.id, kind: 'say', patient });
}

async function nextTurn(session: Session, ref: AttemptRef, message: Say) {
  await requireModel(session, ref);
  const settings = runSettings(session.config, await searchAttributesHere(session));
  const versions = { holdfast: installedVersion() };
  return await orSealBroken(startTurn(session.pool, ref, { message, settings, versions }));
}
