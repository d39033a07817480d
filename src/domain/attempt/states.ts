/** The states of an Attempt (R2.1) and the reasons that an end or a pause carries (R2.3). */

export const activeStates = [
  'CREATED',
  'ASSEMBLING_CONTEXT',
  'WAITING_FOR_MODEL',
  'DECIDING',
  'WAITING_FOR_APPROVAL',
  'EXECUTING_TOOL',
  'WAITING_FOR_EFFECT',
  'RECONCILING',
  'WAITING_FOR_USER',
  'COMPACTING',
  'VERIFYING',
  'NEEDS_REPAIR',
  'CANDIDATE_VERIFIED',
  'COMMITTING',
  'SUSPENDED',
  'CANCELLING',
] as const;
export const endStates = ['COMPLETED', 'FAILED', 'CANCELLED'] as const;
export const attemptStates = [...activeStates, ...endStates] as const;

export type EndState = (typeof endStates)[number];
export type AttemptState = (typeof activeStates)[number] | EndState;

export const reasons = [
  'success',
  'failed',
  'budget_exceeded',
  'loop_detected',
  'paused_for_approval',
  'cancelled',
  'cancelled_effect_committed',
  'blocked',
  'refused',
  'turn_stopped',
  'reconcile_required',
  'waiting_for_effect',
  'waiting_for_user',
  'suspended',
] as const;
export type Reason = (typeof reasons)[number];

export function isEnd(state: AttemptState): state is EndState {
  return (endStates as readonly string[]).includes(state);
}
