import { CliError } from './cli-error';
import { exitCodes } from './exit-codes';

/** What goes on record needs a reason. Throws CliError where there is none. `what`: with a verb, such as "To unseal a test". */
export function neededReason(what: string, reason: string | undefined, example: string): string {
  if (reason !== undefined && reason.trim() !== '') return reason.trim();
  throw new CliError(exitCodes.usage, `${what} needs a reason.`, `Say why: --reason "${example}".`);
}
