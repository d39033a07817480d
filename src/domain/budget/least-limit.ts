import type { ExceededLimit } from './account';
import { limitRow } from './limit-table';

/** What a limit refused, in the limit's units. */
export interface Refusal {
  readonly limit: ExceededLimit;
  /** Used and held before the refused call. */
  readonly used: number;
  /** What the refused call would have taken. */
  readonly ask: number;
  /** All attempts of the task have the limit so many times together; once where left out. */
  readonly times?: number;
}

/** The smallest value of the limit, as people write it, under which the call that it refused is made (R6.3). */
export function leastLimit({ limit, used, ask, times = 1 }: Refusal): number {
  const { units, whole } = limitRow(limit);
  const written = (used + ask) / (units * times);
  return whole ? Math.ceil(written) : written;
}
