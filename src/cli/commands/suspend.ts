import { suspendAttempt } from '../../requests/acts/suspend-attempt';
import { untaken } from '../../requests/messages/untaken';
import { find } from '../../requests/naming/find';
import type { CommonOptions } from '../common-options';
import { conclude } from '../conclude';
import { type ExitCode, exitCodes } from '../exit-codes';
import { printJson } from '../output';
import { withSession } from '../session';
import { tell } from '../tell';

export interface SuspendOptions extends CommonOptions {
  readonly by?: string;
  readonly wait?: boolean;
}

/** Asks an attempt to stop where it is: nothing more is sent, nothing is billed, and `resume` goes on from there. */
export function suspend(given: string, options: SuspendOptions): Promise<ExitCode> {
  return withSession(options, async (session) => {
    const ref = await find(session, given);
    const { messageId, fate } = await suspendAttempt(session, ref);
    const said = { messageId, fate };
    if (options.wait) return conclude(session, ref, { ...options, extra: said });
    const text =
      fate === 'waiting'
        ? await untaken(session, ref, 'suspend')
        : `${ref.id} is suspended. \`holdfast resume ${ref.id}\` lets it go on from where it is.`;
    if (options.json) printJson({ attemptId: ref.id, ...said });
    else tell(session, text);
    return exitCodes.done;
  });
}
