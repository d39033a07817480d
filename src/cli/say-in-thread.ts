import { startTurn } from '../ledger/start-turn';
import type { AttemptRef } from '../protocol/ids';
import type { Message } from '../protocol/messages';
import { installedVersion } from './installed-version';
import { hasEnded, newMessageId, store } from './send';
import type { Session } from './session';
import { searchAttributesHere, startRun } from './start-run';
import { runSettings } from './start-snapshot';

export interface Said {
  readonly messageId: string;
  /** Who heard it: the attempt that was named, or the one that its Thread has come to. */
  readonly ref: AttemptRef;
  /** `next`: a new one, which it begins. */
  readonly as: 'named' | 'newest' | 'next';
}

/**
 * Tells an attempt something; where it is a dialog that has completed, its Thread goes on with it (M8). Rejects with CliError
 * where it had ended otherwise.
 */
export async function sayInThread(
  session: Session,
  named: AttemptRef,
  body: { text: string; by: string },
): Promise<Said> {
  const message: Extract<Message, { kind: 'say' }> = { kind: 'say', body, id: newMessageId() };
  const { id: messageId } = message;
  for (let ref = named; ; ) {
    if ((await store(session, ref, message)) === 'stored')
      return { messageId, ref, as: ref.key === named.key ? 'named' : 'newest' };
    const settings = runSettings(await searchAttributesHere(session));
    const versions = { holdfast: installedVersion() };
    const turn = await startTurn(session.pool, ref, { message, settings, versions });
    switch (turn.kind) {
      case 'over':
        throw await hasEnded(session, ref);
      case 'elsewhere':
        ref = turn.ref; // a Thread only grows, so this comes to its end
        continue;
      case 'created':
      case 'known':
        await startRun(session, turn.attempt);
        return { messageId, ref: turn.attempt.ref, as: 'next' };
    }
  }
}
