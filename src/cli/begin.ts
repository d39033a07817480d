import { type StartOutcome, startAttempt } from '../ledger/start-attempt';
import { attemptLimits } from './attempt-limits';
import { checkWorkspace } from './check-workspace';
import { CliError } from './cli-error';
import { exitCodes } from './exit-codes';
import { installedVersion } from './installed-version';
import { checkedMessage } from './message-text';
import { loginName } from './send';
import type { Session } from './session';
import { type StartedRun, searchAttributesHere, startRun } from './start-run';
import { startSnapshot } from './start-snapshot';
import type { TaskFile } from './task-file';
import { textsOf } from './texts';

export interface BeginOptions {
  /** Another attempt also where the task is COMPLETED under the same contract. */
  readonly again?: boolean;
  /** Another attempt beside one that runs. */
  readonly beside?: boolean;
  /** Who starts it, which policy may ask for; the login name where left out. */
  readonly by?: string;
  /** Attempts to begin side by side (R15.1); 1 where left out. */
  readonly attempts?: number;
}

export type Begun = Exclude<StartOutcome, { kind: 'refused' }> & StartedRun;

type Refused = Extract<StartOutcome, { kind: 'refused' }>;

/**
 * Makes the task's next attempt and starts its workflow, or finds the one that this start made before. What fails
 * between the two is finished by a worker. Rejects with CliError where another attempt of the task runs.
 */
export async function begin(session: Session, file: TaskFile, options: BeginOptions = {}): Promise<Begun> {
  const outcome = await beginOrRefuse(session, file, options);
  if (outcome.kind === 'refused') throw refusal(outcome);
  return outcome;
}

/** The same, where the caller knows what to do with an attempt that runs with something else. */
export async function beginOrRefuse(
  session: Session,
  file: TaskFile,
  options: BeginOptions = {},
): Promise<Begun | Refused> {
  const { config, pool, tenant } = session;
  const { task, contract, model } = file;
  if (contract.workspace !== undefined) await checkWorkspace(config, contract.workspace);

  const searchAttributes = await searchAttributesHere(session);
  const outcome = await startAttempt(pool, {
    tenant,
    task,
    contract,
    limits: attemptLimits(session, file.limits),
    input: checkedMessage(file.input),
    snapshot: startSnapshot(contract, { ...config, model, searchAttributes }),
    versions: { holdfast: installedVersion() },
    ...options,
    by: options.by ?? loginName(),
    texts: textsOf(session),
  });
  if (outcome.kind === 'refused') return outcome;
  const run = await startRun(session, outcome.attempt);
  for (const other of outcome.race?.slice(1) ?? []) await startRun(session, other);
  return { ...outcome, ...run };
}

function refusal({ attempt, differs }: Refused): CliError {
  const { id } = attempt.ref;
  if (differs === 'attempts') {
    const of = attempt.snapshot.race?.of ?? 1;
    const begun = of === 1 ? 'was begun alone' : `is one of ${of} begun side by side`;
    const same = of === 1 ? 'without `--attempts`' : `with \`--attempts ${of}\``;
    return new CliError(
      exitCodes.usage,
      `${id} of this task runs (${attempt.state}), and ${begun}.`,
      `Start it ${same} to find it again, or \`holdfast start … --new\` for others beside it.`,
    );
  }
  const with_ = differs === 'contract' ? 'another contract' : 'another first message, model or budget';
  return new CliError(
    exitCodes.usage,
    `${id} of this task runs (${attempt.state}) with ${with_}.`,
    `Use \`holdfast say ${id} "…"\` to tell it what changed, or \`holdfast start … --new\` for another attempt beside it.`,
  );
}
