import type { AttemptRef } from '../../protocol/ids';
import { send } from '../messages/send';
import type { Session } from '../session';

export interface CancelRequest {
  readonly reason?: string;
}

/** Asks an attempt to end; it ends CANCELLED when nothing of it runs any more (R11.3). Rejects with RequestRefused where it had ended. */
export async function cancelAttempt(
  session: Session,
  ref: AttemptRef,
  { reason }: CancelRequest,
): Promise<{ readonly messageId: string }> {
  const body = { by: session.sender.name, ...(reason !== undefined && { reason }) };
  return { messageId: await send(session, ref, { kind: 'cancel', body }) };
}
