import { type ForkOutcome, forkAttempt } from '../../ledger/fork-attempt';
import { type AttemptRef, taskOf } from '../../protocol/ids';
import { checkpointNamed } from '../checkpoint-name';
import { CliError } from '../cli-error';
import type { CommonOptions, FollowOptions } from '../common-options';
import { conclude } from '../conclude';
import { type ExitCode, exitCodes } from '../exit-codes';
import { find } from '../find';
import { installedVersion } from '../installed-version';
import { printJson } from '../output';
import { requireModel } from '../require-model';
import { loginName } from '../send';
import { type Session, withSession } from '../session';
import { searchAttributesHere, startRun } from '../start-run';
import { runSettings } from '../start-snapshot';
import { takenWords } from '../taken-words';
import { tell } from '../tell';
import { textsOf } from '../texts';

export interface ForkOptions extends CommonOptions, FollowOptions {
  /** A checkpoint; the newest one where left out. */
  readonly at?: string;
  readonly by?: string;
}

type Forked = Extract<ForkOutcome, { kind: 'forked' }>;

/** Begins a new attempt of the same task from a checkpoint of another one (R12.3). */
export function fork(given: string, options: ForkOptions): Promise<ExitCode> {
  return withSession(options, async (session) => {
    const from = await find(session, given);
    await requireModel(session, from);
    const { attempt, checkpoint, took } = await forked(session, from, options);
    const run = await startRun(session, attempt);
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

async function forked(session: Session, from: AttemptRef, options: ForkOptions): Promise<Forked> {
  const outcome = await forkAttempt(session.pool, {
    from,
    ...(options.at !== undefined && { at: checkpointNamed(from, options.at) }),
    snapshot: runSettings(session.config, await searchAttributesHere(session)),
    versions: { holdfast: installedVersion() },
    by: options.by ?? loginName(),
    texts: textsOf(session),
  });
  if (outcome.kind === 'forked') return outcome;
  const next =
    outcome.why === 'no_checkpoint' || outcome.why === 'unreadable'
      ? `\`holdfast show ${from.id}\` lists its checkpoints.`
      : undefined;
  throw new CliError(exitCodes.usage, outcome.detail, next);
}
