import type { AttemptRef } from '../../protocol/ids';
import { checkedMessage } from '../messages/message-text';
import { rejectionOf } from '../messages/rejection';
import { type Taken, taken } from '../messages/taken';
import type { Session } from '../session';
import type { SayRequest } from './say-in-thread';

/** A user message that revises the goal (R1.2). Whoever revises one should know under which goal the next step is taken, so that is waited for. */
export async function reviseGoal(session: Session, ref: AttemptRef, { text, patient }: SayRequest): Promise<Taken> {
  const body = { text: checkedMessage(text), by: session.sender.name, revise: true } as const;
  const refused = (why: string) => rejectionOf(session, ref, { kind: 'revision', why });
  return await taken(session, ref, { kind: 'say', body }, refused, patient);
}
