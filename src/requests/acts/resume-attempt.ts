import { type AttemptStatus, attemptStatus } from '../../ledger/queries/attempt-status';
import type { AttemptRef } from '../../protocol/ids';
import type { BudgetRaise } from '../../protocol/messages';
import { reachedAfter } from '../messages/reached-after';
import { rejectionOf } from '../messages/rejection';
import { type Taken, taken } from '../messages/taken';
import { requireModel } from '../running/require-model';
import type { Session } from '../session';

export interface ResumeRequest {
  /** Limits to raise. */
  readonly budget?: BudgetRaise;
  /** What becomes of it is waited for without end, and not where it led. */
  readonly patient?: boolean;
}

export interface Resumed extends Taken {
  /** Where that led; undefined where it was not taken yet, and of a patient one. */
  readonly reached: AttemptStatus | undefined;
}

/** Lets a suspended attempt go on, with the limits that are raised for it (R6.3). */
export async function resumeAttempt(
  session: Session,
  ref: AttemptRef,
  { budget = {}, patient = false }: ResumeRequest,
): Promise<Resumed> {
  const { ended } = await attemptStatus(session.pool, ref);
  if (!ended) await requireModel(session, ref);
  const body = { by: session.sender.name, ...(Object.keys(budget).length > 0 && { budget }) };
  const refused = (why: string) => rejectionOf(session, ref, { kind: 'resume', why });
  const told = await taken(session, ref, { kind: 'resume', body }, refused, patient);
  const reached = patient || told.fate === 'waiting' ? undefined : await reachedAfter(session, ref);
  return { ...told, reached };
}
