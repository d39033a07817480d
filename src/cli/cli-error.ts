import type { ExitCode } from './exit-codes';

/** Something a person can act on: what is wrong, and as `next` the step that mends it. */
export class CliError extends Error {
  constructor(
    readonly exitCode: ExitCode,
    message: string,
    readonly next?: string,
  ) {
    super(message);
    this.name = 'CliError';
  }
}
