import { cancelAttempt } from '../../requests/acts/cancel-attempt';
import { find } from '../../requests/naming/find';
import type { CommonOptions } from '../common-options';
import { conclude } from '../conclude';
import { type ExitCode, exitCodes } from '../exit-codes';
import { printJson } from '../output';
import { withSession } from '../session';
import { tell } from '../tell';

export interface CancelOptions extends CommonOptions {
  readonly reason?: string;
  readonly by?: string;
  readonly wait?: boolean;
}

/** Asks an attempt to end; it ends CANCELLED when nothing of it runs any more (R11.3). */
export function cancel(given: string, options: CancelOptions): Promise<ExitCode> {
  return withSession(options, async (session) => {
    const ref = await find(session, given);
    const { reason } = options;
    const { messageId } = await cancelAttempt(session, ref, reason === undefined ? {} : { reason });
    if (options.wait) return conclude(session, ref, { ...options, extra: { messageId } });
    if (options.json) printJson({ attemptId: ref.id, messageId });
    else tell(session, `Asked ${ref.id} to cancel. \`holdfast watch ${ref.id}\` shows how it ends.`);
    return exitCodes.done;
  });
}
