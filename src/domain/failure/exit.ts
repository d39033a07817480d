import type { Failure } from './failure';

/** How a process ended, as far as a failure is concerned. */
export interface ProcessEnd {
  readonly end: 'exited' | 'signalled' | 'timed_out' | 'not_started';
  /** Null unless `exited`. */
  readonly exitCode: number | null;
}

/** What a POSIX shell answers for a program that it could not run, or could not find. */
const cannotRun: ReadonlySet<number> = new Set([126, 127]);

/** The failure of a command that the model ran; undefined where it did what it should. */
export function classifyExit(process: ProcessEnd): Failure | undefined {
  switch (process.end) {
    case 'exited':
      if (process.exitCode === 0) return undefined;
      return { class: 'tool_business', code: couldNotRun(process) ? 'COMMAND_NOT_FOUND' : 'COMMAND_FAILED' };
    case 'signalled':
      return { class: 'tool_business', code: 'COMMAND_KILLED' };
    case 'timed_out':
      // Not transient: the same line in the same world takes as long again.
      return { class: 'tool_business', code: 'COMMAND_TIMED_OUT' };
    case 'not_started':
      return { class: 'environment_drift', code: 'NOT_STARTED' };
  }
}

/**
 * The failure of a check of the contract. One whose program is not there has judged nothing, so it is the environment's
 * failure and never a failed test.
 */
export function classifyCheck(process: ProcessEnd): Failure | undefined {
  switch (process.end) {
    case 'exited':
      if (process.exitCode === 0) return undefined;
      if (couldNotRun(process)) return { class: 'environment_drift', code: 'CHECK_NOT_STARTED' };
      return { class: 'verification_failure', code: 'CHECK_FAILED' };
    case 'signalled':
      return { class: 'verification_failure', code: 'CHECK_KILLED' };
    case 'timed_out':
      return { class: 'verification_failure', code: 'CHECK_TIMED_OUT' };
    case 'not_started':
      return { class: 'environment_drift', code: 'CHECK_NOT_STARTED' };
  }
}

const couldNotRun = ({ exitCode }: ProcessEnd) => exitCode !== null && cannotRun.has(exitCode);
