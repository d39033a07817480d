import { verify } from '../calls/numbered';
import { retried } from '../calls/retried';
import { blocked, overBudget, stopped, withoutModel } from '../run/next';
import type { Run } from '../run/run';
import type { RunState } from '../run/run-state';
import { verifyingSealed } from './verifying-sealed';

/**
 * Checks the candidate against each criterion in order. All are checked, so that the feedback is whole; but once one has
 * failed that gives no feedback, the candidate is over (R3.4). Sealed tests come once all others are met. Where a person is asked, their answer leads back here by way of the
 * candidate's own call, and all is checked anew: days may have passed.
 */
export async function verifying(run: Run): Promise<RunState> {
  run.candidate += 1;
  let allMet = true;
  const { criteria, sealed = [] } = run.start;
  for (const criterion of criteria.filter((id) => !sealed.includes(id))) {
    const answer = await retried(run, () => verify(run, criterion));
    switch (answer.kind) {
      case 'checked':
        if (!answer.met && !answer.feedback) return blocked;
        allMet &&= answer.met;
        break;
      case 'asks': {
        const { action, binding, expiresAt } = answer;
        const batch = { actions: [action], stop: { kind: 'finish', status: 'done' } } as const;
        return { kind: 'WAITING_FOR_APPROVAL', batch, binding, expiresAt };
      }
      case 'over_budget':
        return overBudget(run, answer);
      case 'interrupted':
        return stopped(run, answer);
      case 'gave_up':
        return blocked;
      case 'exhausted':
        return withoutModel(run, answer.reaction); // a check that can't run says nothing about the candidate
    }
  }
  if (!allMet) return { kind: 'NEEDS_REPAIR' };
  return sealed.length > 0 ? verifyingSealed(run, sealed) : { kind: 'CANDIDATE_VERIFIED' };
}
