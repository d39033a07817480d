import { stands } from '../../domain/effect/effect';
import { effectList } from '../../ledger/queries/effect-list';
import { undoableEffect } from '../../ledger/queries/undoable-effect';
import { type CompensationOutcome, startCompensation } from '../../ledger/start-compensation';
import { type AttemptRef, taskOf } from '../../protocol/ids';
import { actionNamed, placeNamed } from '../../requests/naming/action-name';
import { find } from '../../requests/naming/find';
import { attemptLimits } from '../../requests/running/attempt-limits';
import { installedVersion } from '../../requests/running/installed-version';
import { searchAttributesHere, startRun } from '../../requests/running/start-run';
import { runSettings } from '../../requests/running/start-snapshot';
import type { Session } from '../../requests/session';
import { CliError } from '../cli-error';
import type { CommonOptions, FollowOptions } from '../common-options';
import { compensationOf } from '../compensation-of';
import { conclude } from '../conclude';
import { type ExitCode, exitCodes } from '../exit-codes';
import { loginName } from '../login-name';
import { printJson } from '../output';
import { withSession } from '../session';
import { tell } from '../tell';
import { withTools } from '../with-tools';

export interface CompensateOptions extends CommonOptions, FollowOptions {
  /** JSON, instead of the arguments that the tool declares. */
  readonly args?: string;
  readonly by?: string;
}

/** Undoes a committed effect by a small attempt of its own, which is authorised by itself and can fail (R4.8). */
export function compensate(given: string, action: string | undefined, options: CompensateOptions): Promise<ExitCode> {
  return withSession(options, async (session) => {
    const ref = await find(session, given);
    const committed = (await effectList(session.pool, ref)).filter(stands);
    const ids = committed.map((effect) => effect.actionId);
    const id = actionNamed(ref, action, { ids, what: 'has a committed effect' });
    const { attempt, kind } = await begun(session, ref, id, options);
    const run = await startRun(session, attempt);
    const told = { attemptId: attempt.ref.id, taskId: taskOf(attempt.ref.id), ...run, outcome: kind, compensates: id };
    if (!options.json) tell(session, headline(kind, attempt.ref.id, id));
    if (options.watch || options.wait) return conclude(session, attempt.ref, { ...options, extra: told });
    if (options.json) printJson({ ...told, state: attempt.state, reason: attempt.reason });
    return exitCodes.done;
  });
}

type Started = Extract<CompensationOutcome, { kind: 'created' | 'running' | 'completed_before' }>;

async function begun(session: Session, ref: AttemptRef, id: string, options: CompensateOptions): Promise<Started> {
  const effect = await undoableEffect(session.pool, ref, placeNamed(ref, id));
  if (effect === undefined) {
    throw new CliError(exitCodes.usage, `${id} has done nothing outside.`, listed(ref));
  }
  const { tool, args } = await withTools(session.config, (tools) =>
    compensationOf(session, tools, effect, options.args),
  );
  const outcome = await startCompensation(session.pool, {
    tenant: session.tenant,
    effect: { key: effect.key, generation: effect.generation },
    tool,
    args,
    limits: attemptLimits(session),
    snapshot: runSettings(session.config, await searchAttributesHere(session)),
    versions: { holdfast: installedVersion() },
    by: options.by ?? loginName(),
  });
  switch (outcome.kind) {
    case 'created':
    case 'running':
    case 'completed_before':
      return { ...outcome, kind: outcome.kind };
    case 'not_committed':
      throw new CliError(
        exitCodes.usage,
        `Only a committed effect can be undone; this one is ${outcome.phase}.`,
        listed(ref),
      );
    case 'refused':
      throw new CliError(
        exitCodes.usage,
        `${outcome.attempt.ref.id} undoes it already, with other arguments.`,
        `\`holdfast show ${outcome.attempt.ref.id}\` says how it stands; \`holdfast cancel ${outcome.attempt.ref.id}\` ends it.`,
      );
  }
}

const listed = ({ id }: AttemptRef) => `\`holdfast effects ${id}\` lists what it did; see the phase.`;

function headline(kind: Started['kind'], attempt: string, id: string): string {
  switch (kind) {
    case 'created':
      return `${attempt} undoes ${id}. Follow it with \`holdfast watch ${attempt}\`.`;
    case 'running':
      return `${attempt} undoes ${id} already.`;
    case 'completed_before':
      return `${attempt} has undone ${id} before.`;
  }
}
