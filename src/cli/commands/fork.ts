import { taskOf } from '../../protocol/ids';
import { forkFrom } from '../../requests/acts/fork-from';
import { find } from '../../requests/naming/find';
import type { CommonOptions, FollowOptions } from '../common-options';
import { conclude } from '../conclude';
import { type ExitCode, exitCodes } from '../exit-codes';
import { printJson } from '../output';
import { withSession } from '../session';
import { takenWords } from '../taken-words';
import { tell } from '../tell';

export interface ForkOptions extends CommonOptions, FollowOptions {
  /** A checkpoint; the newest one where left out. */
  readonly at?: string;
  readonly by?: string;
}

/** Begins a new attempt of the same task from a checkpoint of another one (R12.3). */
export function fork(given: string, options: ForkOptions): Promise<ExitCode> {
  return withSession(options, async (session) => {
    const from = await find(session, given);
    const { attempt, checkpoint, took, run } = await forkFrom(session, from, { at: options.at });
    const { ref, state, reason } = attempt;
    const told = { attemptId: ref.id, taskId: taskOf(ref.id), ...run, forkedFrom: checkpoint, took };
    if (!options.json)
      tell(
        session,
        `Started ${ref.id} from ${checkpoint}, with ${takenWords(took)}. Follow it with \`holdfast watch ${ref.id}\`.`,
      );
    if (options.watch || options.wait) return conclude(session, ref, { ...options, extra: told });
    if (options.json) printJson({ ...told, state, reason });
    return exitCodes.done;
  });
}
