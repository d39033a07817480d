import { waitJitter } from '../limits';
import type { Run } from '../run/run';

/** The wait after so many looks, from 1 on, ms: doubled each time up to a bound, and moved at random to spread who looks. */
export function backoff(run: Run, looks: number, minMs: number, maxMs: number): number {
  const plainMs = Math.min(minMs * 2 ** (looks - 1), maxMs);
  return plainMs * (1 + waitJitter * run.host.random());
}
