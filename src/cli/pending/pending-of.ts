import { isEnd } from '../../domain/attempt/states';
import type { AttemptDetails } from '../../ledger/queries/attempt-details';
import { commandText } from '../command-text';
import type { Pending } from './pending';
import { pendingApproval } from './pending-approval';
import { pendingEffect } from './pending-effect';
import { pendingWord } from './pending-word';

/** Nothing while the attempt runs, and after its end. */
export function pendingOf(tenant: string, details: AttemptDetails): readonly Pending[] {
  const { attemptId, state, waitsForEffect, approvals, unknownEffects } = details;
  if (isEnd(state)) return [];
  return [
    ...(state === 'WAITING_FOR_USER' || state === 'SUSPENDED' ? [pendingWord(tenant, { ...details, state })] : []),
    ...approvals.map((request) => pendingApproval(tenant, request)),
    ...unknownEffects.map((effect) => pendingEffect(tenant, effect)),
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
