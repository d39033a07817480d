import type { AttemptRef } from '../../protocol/ids';
import { rejection } from '../messages/rejection';
import { type Taken, taken } from '../messages/taken';
import type { Session } from '../session';

/** Asks an attempt to stop where it is: nothing more is sent, nothing is billed, and a resume goes on from there. */
export async function suspendAttempt(session: Session, ref: AttemptRef): Promise<Taken> {
  const body = { by: session.sender.name };
  return await taken(session, ref, { kind: 'suspend', body }, (why) => rejection(ref, { kind: 'suspend', why }));
}
