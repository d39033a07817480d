import type { Run } from './run';

/**
 * Waits for `ms`, or until `early` holds; not at all where it holds already. What woke it decides nothing (M3).
 * `why` is shown beside the timer.
 */
export async function idle(run: Run, ms: number, why: string, early: () => boolean): Promise<void> {
  if (!early()) await run.host.sleep(Math.max(Math.round(ms), 1), why, early);
}
