import type { AttemptRef } from '../protocol/ids';
import { CliError } from './cli-error';
import { type ExitCode, exitCodes } from './exit-codes';

/** A message that the attempt took and refused, in the words that it gave. `login`: the name under which it was sent, where nobody named one. */
export function rejection(
  { id }: AttemptRef,
  kind: string,
  why: string,
  exitCode: ExitCode = exitCodes.usage,
  login?: string,
): CliError {
  const speaker =
    login === undefined ? '' : `It was said by ${login}, your login name; \`--by NAME\` says who you are. `;
  return new CliError(
    exitCode,
    `The ${kind} changed nothing. ${why}`,
    `${speaker}\`holdfast show ${id}\` says how it stands, and what it waits for.`,
  );
}
