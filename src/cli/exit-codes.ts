import type { Reason } from '../domain/attempt/states';
import { reasonTable } from '../domain/attempt/table';

/** What the command line ends with; scripts hang on these. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  /** Paused: somebody must act. */
  paused: 3,
  cancelled: 4,
  /** Temporal or the database cannot be reached. */
  unreachable: 5,
  /** Policy says no: to whoever answered, or to what was to be done. */
  refused: 6,
  /** Ctrl-C, as shells tell of it. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Of an attempt that ended or paused (R2.3); 0 for one that runs. */
export function exitCodeOf(reason: Reason | null): ExitCode {
  return reason === null ? exitCodes.done : reasonTable[reason].exitCode;
}
