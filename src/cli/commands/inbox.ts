import { inboxDocument } from '../../requests/documents/inbox-document';
import type { Pending } from '../../requests/pending/pending';
import type { CommonOptions } from '../common-options';
import { type ExitCode, exitCodes } from '../exit-codes';
import { note, paint, printJson } from '../output';
import { renderPending } from '../render-pending';
import { withSession } from '../session';
import { tell } from '../tell';

/** Everything that people of a tenant are waited for, each with the command that settles it. */
export function inbox(options: CommonOptions): Promise<ExitCode> {
  return withSession(options, async (session) => {
    const { tenant } = session;
    const pending = await inboxDocument(session);
    if (options.json) printJson(pending);
    else if (pending.length === 0) note(`Nobody is waited for in the tenant "${tenant}".`);
    else for (const line of pending.flatMap(lines)) tell({ tenant }, line);
    return exitCodes.done;
  });
}

function lines(pending: Pending, index: number): readonly string[] {
  return [...(index === 0 ? [] : ['']), paint('bold', pending.attemptId), ...renderPending(pending)];
}
