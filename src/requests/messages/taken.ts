import type { MessageFate } from '../../ledger/queries/message-fate';
import type { AttemptRef } from '../../protocol/ids';
import type { RequestRefused } from '../request-refused';
import type { Session } from '../session';
import { deliver } from './deliver';
import type { Sendable } from './send';

export interface Taken {
  readonly messageId: string;
  /** `waiting`: stored, and not taken while that was waited for. */
  readonly fate: Exclude<MessageFate['kind'], 'rejected'>;
}

/** Delivers a message (`deliver`), where one that the attempt refuses is a refusal of the request, as `refused` words it. */
export async function taken(
  session: Session,
  ref: AttemptRef,
  content: Sendable,
  refused: (why: string) => RequestRefused | Promise<RequestRefused>,
  patient = false,
): Promise<Taken> {
  const { messageId, fate } = await deliver(session, ref, content, { patient });
  if (fate.kind === 'rejected') throw await refused(fate.why);
  return { messageId, fate: fate.kind };
}
