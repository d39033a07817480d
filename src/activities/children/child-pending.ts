import type { Call, CallAnswers } from '../../protocol/calls';
import type { AttemptRef } from '../../protocol/ids';

/** Its end is told by a message; a look at its row is for a lost one, ms. */
const lookMs = 15_000;

/** The action has an answer once its child has ended (R15.1). */
export const childPending = (
  { now }: Pick<Call, 'now'>,
  { id }: Pick<AttemptRef, 'id'>,
): Extract<CallAnswers['act'], { kind: 'pending' }> => ({
  kind: 'pending',
  effect: `child/${id}`,
  lookAt: now + lookMs,
});
