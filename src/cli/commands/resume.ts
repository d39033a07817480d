import { attemptStatus } from '../../ledger/queries/attempt-status';
import { budgetOf } from '../budget-option';
import type { CommonOptions, FollowOptions } from '../common-options';
import { conclude } from '../conclude';
import { deliver } from '../deliver';
import { type ExitCode, exitCodes } from '../exit-codes';
import { find } from '../find';
import { printJson, say } from '../output';
import { rejection } from '../rejection';
import { byLogin, loginName } from '../send';
import { withSession } from '../session';
import { untaken } from '../untaken';

export interface ResumeOptions extends CommonOptions, FollowOptions {
  /** `maxCostUsd=5`, one for each limit. */
  readonly budget?: readonly string[];
  readonly by?: string;
}

/** Lets a suspended attempt go on, with the limits that are raised for it (R6.3). */
export async function resume(given: string, options: ResumeOptions): Promise<ExitCode> {
  const budget = budgetOf(options.budget ?? []);
  return withSession(options, async (session) => {
    const ref = await find(session, given);
    const { sequence } = await attemptStatus(session.pool, ref);
    const { by = loginName() } = options;
    const body = { by, ...(Object.keys(budget).length > 0 && { budget }) };
    const { messageId, fate } = await deliver(session, ref, { kind: 'resume', body });
    if (fate.kind === 'rejected') throw rejection(ref, 'resume', fate.why, exitCodes.usage, byLogin(session, options));
    const said = { messageId, fate: fate.kind };
    if (options.watch || options.wait) return conclude(session, ref, { ...options, from: sequence, extra: said });
    const text =
      fate.kind === 'waiting'
        ? await untaken(session, ref, 'resume')
        : `${ref.id} goes on. Follow it with \`holdfast watch ${ref.id}\`.`;
    if (options.json) printJson({ attemptId: ref.id, ...said });
    else say(text);
    return exitCodes.done;
  });
}
