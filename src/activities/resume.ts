import { limitTable } from '../domain/budget/limit-table';
import { raiseLimits } from '../domain/budget/raise-limits';
import { whyUnheard } from '../domain/policy/why-unheard';
import type { ResumeBody } from '../protocol/messages';
import type { Disposal } from './disposal';
import type { AttemptTx } from './ledger-port';
import type { PolicyPort } from './ports';
import { speakerOf } from './speaker';

/** What a child has as a share of its parent's, which stays as it was given (R6.4). */
const sharedLimits = ['maxTokens', 'maxCostMicroUsd', 'maxToolCalls'] as const;

/**
 * A suspended attempt goes on, under the limits that were raised with it (R6.3). Going on under the same limits is anybody's to
 * say, as stopping is; raising them takes somebody who may answer at all (R5.5).
 */
export async function resumeAttempt(policy: PolicyPort, tx: AttemptTx, { by, budget }: ResumeBody): Promise<Disposal> {
  const raised = raiseLimits(tx.attempt.limits, tx.attempt.account, { ...budget });
  if (!raised.ok) return { kind: 'rejected', why: `${raised.why} Nothing was resumed.` };
  if (Object.keys(raised.raised).length === 0) return { kind: 'taken' };
  const { child } = tx.attempt;
  const shared = sharedLimits.filter((limit) => raised.raised[limit] !== undefined);
  if (child && shared.length > 0)
    return {
      kind: 'rejected',
      why: `Its ${shared.map((limit) => limitTable[limit].written).join(', ')} are a share of what ${child.parent} has, which holds no more for it. Nothing was resumed.`,
    };
  const unheard = whyUnheard(by, await speakerOf(policy, tx, by));
  if (unheard !== undefined) return { kind: 'rejected', why: `${unheard} Nothing was resumed.` };
  return {
    kind: 'taken',
    write() {
      tx.update({ limits: raised.limits });
      tx.emit({ type: 'limits_raised', payload: { by, limits: raised.raised } });
    },
  };
}
