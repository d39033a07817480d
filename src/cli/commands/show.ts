import { attemptDetails } from '../../ledger/queries/attempt-details';
import type { CommonOptions } from '../common-options';
import { type ExitCode, exitCodes } from '../exit-codes';
import { find } from '../find';
import { printJson, say } from '../output';
import { pendingOf } from '../pending';
import { renderDetails } from '../render-details';
import { withSession } from '../session';

/** All about one attempt. */
export function show(given: string, options: CommonOptions): Promise<ExitCode> {
  return withSession(options, async (session) => {
    const details = await attemptDetails(session.pool, await find(session, given));
    if (options.json) printJson({ ...details, pending: pendingOf(details) });
    else for (const line of renderDetails(details)) say(line);
    return exitCodes.done;
  });
}
