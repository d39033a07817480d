import { raiseLimits } from '../domain/budget/raise-limits';
import type { ResumeBody } from '../protocol/messages';
import type { Disposal } from './disposal';
import type { AttemptTx } from './ledger-port';

/** A suspended attempt goes on, under the limits that were raised with it (R6.3). */
export function resumeAttempt(tx: AttemptTx, { by, budget }: ResumeBody): Disposal {
  const raised = raiseLimits(tx.attempt.limits, { ...budget });
  if (!raised.ok) return { kind: 'rejected', why: `${raised.why} Nothing was resumed.` };
  return {
    kind: 'taken',
    write() {
      if (Object.keys(raised.raised).length === 0) return;
      tx.update({ limits: raised.limits });
      tx.emit({ type: 'limits_raised', payload: { by, limits: raised.raised } });
    },
  };
}
