import type { CommonOptions } from '../common-options';
import { conclude } from '../conclude';
import { deliver } from '../deliver';
import { type ExitCode, exitCodes } from '../exit-codes';
import { find } from '../find';
import { printJson } from '../output';
import { rejection } from '../rejection';
import { loginName } from '../send';
import { withSession } from '../session';
import { tell } from '../tell';
import { untaken } from '../untaken';

export interface SuspendOptions extends CommonOptions {
  readonly by?: string;
  readonly wait?: boolean;
}

/** Asks an attempt to stop where it is: nothing more is sent, nothing is billed, and `resume` goes on from there. */
export function suspend(given: string, options: SuspendOptions): Promise<ExitCode> {
  return withSession(options, async (session) => {
    const ref = await find(session, given);
    const { by = loginName() } = options;
    const { messageId, fate } = await deliver(session, ref, { kind: 'suspend', body: { by } });
    if (fate.kind === 'rejected') throw rejection(ref, 'suspend', fate.why);
    const said = { messageId, fate: fate.kind };
    if (options.wait) return conclude(session, ref, { ...options, extra: said });
    const text =
      fate.kind === 'waiting'
        ? await untaken(session, ref, 'suspend')
        : `${ref.id} is suspended. \`holdfast resume ${ref.id}\` lets it go on from where it is.`;
    if (options.json) printJson({ attemptId: ref.id, ...said });
    else tell(session, text);
    return exitCodes.done;
  });
}
