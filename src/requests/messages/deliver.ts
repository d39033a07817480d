import type { MessageFate } from '../../ledger/queries/message-fate';
import type { AttemptRef } from '../../protocol/ids';
import type { Session } from '../session';
import { learnFate } from './learn-fate';
import { type Sendable, send } from './send';

export interface Delivered {
  readonly messageId: string;
  /** `waiting`: stored, and not taken while that was waited for. */
  readonly fate: MessageFate;
}

/** Stores a message, wakes the attempt, and waits to learn what it made of it (`learnFate`). Rejects as both do. */
export async function deliver(
  session: Session,
  ref: AttemptRef,
  content: Sendable,
  { patient = false }: { readonly patient?: boolean } = {},
): Promise<Delivered> {
  const messageId = await send(session, ref, content);
  return { messageId, fate: await learnFate(session, ref, { id: messageId, kind: content.kind, patient }) };
}
