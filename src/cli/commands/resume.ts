import { type AttemptStatus, attemptStatus } from '../../ledger/queries/attempt-status';
import type { AttemptRef } from '../../protocol/ids';
import { resumeAttempt } from '../../requests/acts/resume-attempt';
import { attemptDocument } from '../../requests/documents/attempt-document';
import { untaken } from '../../requests/messages/untaken';
import { find } from '../../requests/naming/find';
import type { Session } from '../../requests/session';
import { commandText } from '../../requests/words/command-text';
import { troubleWords } from '../../requests/words/trouble-words';
import { budgetOf } from '../budget-option';
import type { CommonOptions, FollowOptions } from '../common-options';
import { conclude } from '../conclude';
import { type ExitCode, exitCodes } from '../exit-codes';
import { printJson } from '../output';
import { renderPending } from '../render-pending';
import { withSession } from '../session';
import { tell } from '../tell';

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
    const { sequence } = await attemptStatus(session.pool, ref);
    const patient = options.watch === true || options.wait === true;
    const { messageId, fate, reached } = await resumeAttempt(session, ref, { budget, patient });
    const said = { messageId, fate };
    if (patient) return conclude(session, ref, { ...options, from: sequence, extra: said });
    if (reached === undefined) {
      const text = await untaken(session, ref, 'resume');
      if (options.json) printJson({ attemptId: ref.id, ...said });
      else tell(session, text);
      return exitCodes.done;
    }
    const { state, reason } = reached;
    if (options.json) printJson({ attemptId: ref.id, ...said, state, reason });
    else for (const line of await reachedWords(session, ref, reached)) tell(session, line);
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
