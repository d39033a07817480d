import type { PlannedAction } from '../../protocol/calls';
import { leaseMs } from '../../protocol/lease';
import { quickActTimeoutMs, reconcileLooksMin, reconcilePauseMaxMs, reconcilePauseMinMs } from '../limits';

/**
 * Looks at an action's effect before a person is asked. No authority's "it did not happen" is believed before the send can no
 * longer be under way (E6), so there are looks after that moment too. From facts that never change, so that every decision
 * counts the same (M3).
 */
export function looksBeforeAsking({ timeoutMs = quickActTimeoutMs }: Pick<PlannedAction, 'timeoutMs'>): number {
  let looks = 1;
  for (let waitedMs = 0; looks < reconcileLooksMin || waitedMs < timeoutMs + leaseMs; looks += 1) {
    waitedMs += Math.min(reconcilePauseMinMs * 2 ** (looks - 1), reconcilePauseMaxMs);
  }
  return looks;
}
