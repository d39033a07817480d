import type { AttemptRef } from '../protocol/ids';
import { CliError } from './cli-error';
import { type ExitCode, exitCodes } from './exit-codes';

/** A message that the attempt took and refused, in the words that it gave. */
export function rejection(
  { id }: AttemptRef,
  kind: string,
  why: string,
  exitCode: ExitCode = exitCodes.usage,
): CliError {
  return new CliError(
    exitCode,
    `The ${kind} changed nothing. ${why}`,
    `\`holdfast show ${id}\` says how it stands, and what it waits for.`,
  );
}
