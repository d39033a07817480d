import { type StartOutcome, startAttempt } from '../../ledger/start-attempt';
import { checkedMessage } from '../messages/message-text';
import { RequestRefused } from '../request-refused';
import { attemptLimits } from '../running/attempt-limits';
import { checkWorkspace } from '../running/check-workspace';
import { installedVersion } from '../running/installed-version';
import { orSealBroken } from '../running/or-seal-broken';
import { type StartedRun, searchAttributesHere, startRun } from '../running/start-run';
import { startSnapshot } from '../running/start-snapshot';
import { textsOf } from '../running/texts';
import type { Session } from '../session';
import type { TaskFile } from '../task/task-file';
import { attemptsOf } from './attempts-beside';

export interface StartRequest {
  /** Another attempt also where the task is COMPLETED under the same contract. */
  readonly again?: boolean;
  /** Another attempt beside one that runs. */
  readonly beside?: boolean;
  /** Attempts to begin side by side (R15.1); 1 where left out. */
  readonly attempts?: number;
}

export type StartedTask = Exclude<StartOutcome, { kind: 'refused' }> & StartedRun;

type Refused = Extract<StartOutcome, { kind: 'refused' }>;

/**
 * Makes the task's next attempt and starts its workflow, or finds the one that this start made before. What fails
 * between the two is finished by a worker. Rejects with RequestRefused where another attempt of the task runs.
 */
export async function startTask(session: Session, file: TaskFile, options: StartRequest = {}): Promise<StartedTask> {
  const outcome = await startOrRefuse(session, file, options);
  if (outcome.kind === 'refused') throw refusal(outcome);
  return outcome;
}

/** The same, where the caller knows what to do with an attempt that runs with something else. */
export async function startOrRefuse(
  session: Session,
  file: TaskFile,
  options: StartRequest = {},
): Promise<StartedTask | Refused> {
  const { config, pool, tenant, sender } = session;
  const { task, contract, model } = file;
  attemptsOf(options.attempts ?? 1, contract);
  if (contract.workspace !== undefined) await checkWorkspace(config, contract.workspace);

  const searchAttributes = await searchAttributesHere(session);
  const outcome = await orSealBroken(
    startAttempt(pool, {
      tenant,
      task,
      contract,
      limits: attemptLimits(session, file.limits),
      input: checkedMessage(file.input),
      snapshot: startSnapshot(contract, { ...config, model, searchAttributes }),
      versions: { holdfast: installedVersion() },
      ...options,
      by: sender.name,
      texts: textsOf(session),
    }),
  );
  if (outcome.kind === 'refused') return outcome;
  const run = await startRun(session, outcome.attempt);
  for (const other of outcome.race?.slice(1) ?? []) await startRun(session, other);
  return { ...outcome, ...run };
}

function refusal({ attempt, differs }: Refused): RequestRefused {
  const { id } = attempt.ref;
  if (differs === 'attempts') {
    const of = attempt.snapshot.race?.of ?? 1;
    const begun = of === 1 ? 'was begun alone' : `is one of ${of} begun side by side`;
    const same = of === 1 ? 'without `--attempts`' : `with \`--attempts ${of}\``;
    return new RequestRefused(
      'other_contract',
      `${id} of this task runs (${attempt.state}), and ${begun}.`,
      `Start it ${same} to find it again, or \`holdfast start … --new\` for others beside it.`,
    );
  }
  const with_ = differs === 'contract' ? 'another contract' : 'another first message, model or budget';
  return new RequestRefused(
    'other_contract',
    `${id} of this task runs (${attempt.state}) with ${with_}.`,
    `Use \`holdfast say ${id} "…"\` to tell it what changed, or \`holdfast start … --new\` for another attempt beside it.`,
  );
}
