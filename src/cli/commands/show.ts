import { attemptDocument } from '../attempt-document';
import type { CommonOptions } from '../common-options';
import { type ExitCode, exitCodes } from '../exit-codes';
import { find } from '../find';
import { printJson } from '../output';
import { renderDetails } from '../render-details';
import { withSession } from '../session';
import { tell } from '../tell';
import { wholeOutputs } from '../whole-outputs';

/** All about one attempt. */
export function show(given: string, options: CommonOptions): Promise<ExitCode> {
  return withSession(options, async (session) => {
    const document = await attemptDocument(session, await find(session, given));
    if (options.json) printJson({ ...document, checks: await wholeOutputs(session, document.checks) });
    else for (const line of renderDetails(document)) tell(session, line);
    return exitCodes.done;
  });
}
