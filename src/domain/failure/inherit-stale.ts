import type { StaleTarget } from './stale-targets';

/**
 * What is stale for an attempt that goes on from another one's record (R8.6): the same, and to be looked at anew, for what the
 * other's looks showed is not in the new one's view.
 */
export const inheritStale = (stale: readonly StaleTarget[]): readonly StaleTarget[] =>
  stale.map(({ lookedAt: _lookedAt, ...target }) => target);
