import { type AttemptStatus, attemptStatus } from '../../ledger/queries/attempt-status';
import type { AttemptRef } from '../../protocol/ids';
import { attemptDocument } from '../attempt-document';
import { budgetOf } from '../budget-option';
import { commandText } from '../command-text';
import type { CommonOptions, FollowOptions } from '../common-options';
import { conclude } from '../conclude';
import { deliver } from '../deliver';
import { type ExitCode, exitCodes } from '../exit-codes';
import { find } from '../find';
import { printJson } from '../output';
import { renderPending } from '../pending/render-pending';
import { reachedAfter } from '../reached-after';
import { rejection } from '../rejection';
import { requireModel } from '../require-model';
import { byLogin, loginName } from '../send';
import { type Session, withSession } from '../session';
import { tell } from '../tell';
import { troubleWords } from '../trouble-words';
import { untaken } from '../untaken';

export interface ResumeOptions extends CommonOptions, FollowOptions {
  /** `maxCostUsd=5`, one for each limit. */
  readonly budget?: readonly string[];
  readonly by?: string;
}

/** Lets a suspended attempt go on, with the limits that are raised for it (R6.3), and says where that led. */
export async function resume(given: string, options: ResumeOptions): Promise<ExitCode> {
  const budget = budgetOf(options.budget ?? []);
  return withSession(options, async (session) => {
    const ref = await find(session, given);
    const { sequence, ended } = await attemptStatus(session.pool, ref);
    if (!ended) await requireModel(session, ref);
    const { by = loginName() } = options;
    const body = { by, ...(Object.keys(budget).length > 0 && { budget }) };
    const patient = options.watch === true || options.wait === true;
    const { messageId, fate } = await deliver(session, ref, { kind: 'resume', body }, { patient });
    if (fate.kind === 'rejected') throw rejection(ref, 'resume', fate.why, exitCodes.usage, byLogin(session, options));
    const said = { messageId, fate: fate.kind };
    if (patient) return conclude(session, ref, { ...options, from: sequence, extra: said });
    if (fate.kind === 'waiting') {
      const text = await untaken(session, ref, 'resume');
      if (options.json) printJson({ attemptId: ref.id, ...said });
      else tell(session, text);
      return exitCodes.done;
    }
    const { state, reason, settled } = await reachedAfter(session, ref);
    if (options.json) printJson({ attemptId: ref.id, ...said, state, reason });
    else for (const line of await reachedWords(session, ref, { state, reason, settled })) tell(session, line);
    return state === 'SUSPENDED' ? exitCodes.paused : exitCodes.done;
  });
}

/** What lets it go on after all is told, where it is suspended again, or still. */
async function reachedWords(
  session: Session,
  ref: AttemptRef,
  { state, reason, settled }: Pick<AttemptStatus, 'state' | 'reason' | 'settled'>,
): Promise<readonly string[]> {
  const follow = `Follow it with \`${commandText(ref.tenant, 'watch', ref.id)}\`.`;
  if (!settled) return [`${ref.id} goes on. ${follow}`];
  if (state !== 'SUSPENDED') return [`${ref.id} goes on: it is ${state} (${reason}). ${follow}`];
  const { pending, trouble } = await attemptDocument(session, ref);
  return [
    `${ref.id} is ${state} again (${reason}): nothing of it was done.`,
    ...(trouble === null ? [] : [troubleWords(trouble)]),
    ...pending.flatMap(renderPending),
  ];
}
