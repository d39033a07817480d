import type { CommonOptions } from '../common-options';
import { conclude } from '../conclude';
import { type ExitCode, exitCodes } from '../exit-codes';
import { find } from '../find';
import { printJson } from '../output';
import { loginName, send } from '../send';
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
    const { reason, by = loginName() } = options;
    const messageId = await send(session, ref, {
      kind: 'cancel',
      body: { by, ...(reason !== undefined && { reason }) },
    });
    if (options.wait) return conclude(session, ref, { ...options, extra: { messageId } });
    if (options.json) printJson({ attemptId: ref.id, messageId });
    else tell(session, `Asked ${ref.id} to cancel. \`holdfast watch ${ref.id}\` shows how it ends.`);
    return exitCodes.done;
  });
}
