import { isEnd } from '../../domain/attempt/states';
import type { Principal } from '../../domain/policy/policy';
import type { AttemptDetails, RunningJob } from '../../ledger/queries/attempt-details';
import { commandText } from '../words/command-text';
import type { Pending } from './pending';
import { pendingApproval } from './pending-approval';
import { pendingEffect } from './pending-effect';
import { pendingWord } from './pending-word';

/** Nothing while the attempt runs, and after its end. `principals`: whom configuration names. */
export function pendingOf(
  tenant: string,
  details: AttemptDetails,
  principals: readonly Principal[],
): readonly Pending[] {
  const { attemptId, state, waitsForEffect, approvals, unknownEffects } = details;
  if (isEnd(state)) return [];
  return [
    ...(state === 'WAITING_FOR_USER' || state === 'SUSPENDED'
      ? [pendingWord(tenant, { ...details, state }, principals)]
      : []),
    ...approvals.map((request) => pendingApproval(tenant, request, principals)),
    ...unknownEffects.map((effect) => pendingEffect(tenant, effect, principals)),
    ...details.jobs.map((job) => runningJob(tenant, attemptId, job)),
    ...(waitsForEffect === null ? [] : [otherEffect(tenant, attemptId, waitsForEffect)]),
  ];
}

/** Whoever settles that one wakes this attempt; here there is nothing to say. */
function otherEffect(tenant: string, attemptId: string, effect: string): Pending {
  return {
    kind: 'effect',
    attemptId,
    effect,
    text: `the truth about ${effect}, which acts on the same target`,
    advice: 'It goes on by itself once that one is settled.',
    command: commandText(tenant, 'inbox'),
  };
}

/** Whoever does it says when it is done; here there is nothing to say, but that it is wanted no more. */
function runningJob(tenant: string, attemptId: string, { actionId, tool, handle, since }: RunningJob): Pending {
  return {
    kind: 'job',
    attemptId,
    actionId,
    handle,
    since,
    text: `the job ${handle} of ${tool}, since ${since}`,
    advice: 'It goes on by itself when the job has ended. A cancel asks the job to end as well.',
    command: commandText(tenant, 'show', attemptId),
    or: commandText(tenant, 'cancel', attemptId),
  };
}
