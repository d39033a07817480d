import { attemptDocument } from '../../requests/documents/attempt-document';
import { wholeOutputs } from '../../requests/documents/whole-outputs';
import { find } from '../../requests/naming/find';
import type { CommonOptions } from '../common-options';
import { type ExitCode, exitCodes } from '../exit-codes';
import { printJson } from '../output';
import { renderDetails } from '../render-details';
import { withSession } from '../session';
import { tell } from '../tell';

/** All about one attempt. */
export function show(given: string, options: CommonOptions): Promise<ExitCode> {
  return withSession(options, async (session) => {
    const document = await attemptDocument(session, await find(session, given));
    if (options.json) printJson({ ...document, checks: await wholeOutputs(session, document.checks) });
    else for (const line of renderDetails(document)) tell(session, line);
    return exitCodes.done;
  });
}
