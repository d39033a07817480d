import { setTimeout as sleep } from 'node:timers/promises';
import { type ApprovalOutcome, approvalOutcome } from '../../ledger/queries/approval-outcome';
import type { AttemptRef } from '../../protocol/ids';
import type { Session } from '../session';

/** An approval is used, or found void, within a tenth of a second, unless the attempt is at something else beside it. */
const outcomeWaitMs = 3_000;
/** One indexed read. */
const pollMs = 50;

/** What an approval came to. */
export type Outcome =
  /** It is used: the action is carried out. */
  | { readonly kind: 'carried_out' }
  /** It counts, and nothing has used it so far. */
  | { readonly kind: 'counts' }
  /** The action was refused all the same; `code` says by what. */
  | { readonly kind: 'refused'; readonly code: string }
  /** It was bound to what has changed, so it lets nothing happen; `again`: whether it is asked for anew (R5.3). */
  | { readonly kind: 'void'; readonly again: boolean; readonly row: ApprovalOutcome };

/** Waits a bounded while to learn what an answer that was counted, and was the last one needed, came to. */
export async function outcomeOf(
  { pool }: Pick<Session, 'pool'>,
  ref: AttemptRef,
  answer: { readonly messageId: string; readonly actionId: string },
): Promise<Outcome> {
  for (const from = performance.now(); ; await sleep(pollMs)) {
    const row = await approvalOutcome(pool, ref, answer);
    const outcome = row && judged(row);
    if (outcome !== undefined) return outcome;
    if (row?.attempt === 'SUSPENDED' || performance.now() - from > outcomeWaitMs) return { kind: 'counts' };
  }
}

function judged(row: ApprovalOutcome): Outcome | undefined {
  const { state, observed, again } = row;
  if (observed?.denied != null) return { kind: 'refused', code: observed.denied };
  if (state === 'spent' || observed !== null) return { kind: 'carried_out' };
  if (again !== null) return { kind: 'void', again: true, row };
  return state === 'voided' || state === 'expired' ? { kind: 'void', again: false, row } : undefined;
}
