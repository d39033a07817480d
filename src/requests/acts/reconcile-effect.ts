import { unknownEffects } from '../../ledger/queries/unknown-effects';
import type { AttemptRef } from '../../protocol/ids';
import type { ReconcileBody } from '../../protocol/messages';
import { checkedMessage } from '../messages/message-text';
import { rejectionOf } from '../messages/rejection';
import { type Taken, taken } from '../messages/taken';
import { actionNamed } from '../naming/action-name';
import { RequestRefused } from '../request-refused';
import { channelOf, type Session } from '../session';

export interface ReconcileRequest {
  /** The action whose effect is meant; the one that is unknown where left out. */
  readonly action?: string | undefined;
  readonly outcome: ReconcileBody['outcome'];
  /** What was looked at. */
  readonly evidence: string;
}

export interface Reconciled extends Taken {
  readonly actionId: string;
}

/** A person's word on an effect that nobody else can tell of (R4.7), with what they looked at. */
export async function reconcileEffect(
  session: Session,
  ref: AttemptRef,
  { action, outcome, evidence }: ReconcileRequest,
): Promise<Reconciled> {
  const seen = checkedEvidence(evidence);
  const unknown = await unknownEffects(session.pool, { tenant: ref.tenant, attempt: ref.key });
  const ids = unknown.map(({ actionId }) => actionId);
  const actionId = actionNamed(ref, action, { ids, what: 'has an effect that is unknown' });
  const body = { actionId, outcome, by: session.sender.name, evidence: seen, ...channelOf(session.sender) };
  const refused = (why: string) => rejectionOf(session, ref, { kind: 'reconcile', why });
  return { actionId, ...(await taken(session, ref, { kind: 'reconcile', body }, refused)) };
}

/** Throws RequestRefused where it says nothing, or too much. */
export function checkedEvidence(evidence: string): string {
  if (evidence.trim() !== '') return checkedMessage(evidence);
  throw new RequestRefused(
    'invalid',
    'A word on an effect needs evidence.',
    'Say what you looked at: --evidence "mail-9 in the shop\'s log".',
  );
}
