import type { Reason } from '../domain/attempt/states';
import { reasonTable } from '../domain/attempt/table';
import type { RefusalCode } from '../requests/request-refused';

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

/** Of a request that was refused. */
export const exitCodeOfRefusal: Readonly<Record<RefusalCode, ExitCode>> = {
  invalid: exitCodes.usage,
  not_found: exitCodes.usage,
  ambiguous: exitCodes.usage,
  ended: exitCodes.usage,
  not_pending: exitCodes.usage,
  rejected: exitCodes.usage,
  other_contract: exitCodes.usage,
  refused_by_policy: exitCodes.refused,
  not_allowed: exitCodes.usage,
  no_model: exitCodes.usage,
  seal_broken: exitCodes.usage,
  no_worker: exitCodes.unreachable,
  unreachable: exitCodes.unreachable,
};
