import { defaultLimits } from '../domain/budget/account';
import { markWorkflowStarted, type StartOutcome, startAttempt } from '../ledger/start-attempt';
import { workflowId } from '../protocol/ids';
import { checkWorkspace } from './check-workspace';
import { CliError } from './cli-error';
import { exitCodes } from './exit-codes';
import { installedVersion } from './installed-version';
import { checkedMessage } from './message-text';
import type { Session } from './session';
import { startSnapshot } from './start-snapshot';
import type { TaskFile } from './task-file';

export interface BeginOptions {
  /** Another attempt also where the task is COMPLETED under the same contract. */
  readonly again?: boolean;
  /** Another attempt beside one that runs. */
  readonly beside?: boolean;
}

export type Begun = Exclude<StartOutcome, { kind: 'refused' }> & {
  readonly workflowId: string;
  /** Of the first run; undefined where the workflow was started before. */
  readonly runId?: string;
};

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

  const {
    hasSearchAttributes,
  }: typeof import('../temporal/search-attributes') = require('../temporal/search-attributes');
  const searchAttributes = await session.temporal(hasSearchAttributes);
  const outcome = await startAttempt(pool, {
    tenant,
    task,
    contract,
    limits: { ...defaultLimits, ...config.tenants?.[tenant], ...file.limits },
    input: checkedMessage(file.input),
    snapshot: startSnapshot(contract, { models: config.models, model, searchAttributes }),
    versions: { holdfast: installedVersion() },
    ...options,
  });
  if (outcome.kind === 'refused') return outcome;
  const { ref, snapshot, workflowStarted } = outcome.attempt;
  if (workflowStarted) return { ...outcome, workflowId: workflowId(tenant, ref.id) };

  const { startAttemptWorkflow }: typeof import('../temporal/start-workflow') = require('../temporal/start-workflow');
  const started = await session.temporal((client) => startAttemptWorkflow(client, ref, snapshot));
  await markWorkflowStarted(pool, ref);
  return { ...outcome, ...started };
}

function refusal({ attempt, differs }: Refused): CliError {
  const with_ = differs === 'contract' ? 'another contract' : 'another first message, model or budget';
  const { id } = attempt.ref;
  return new CliError(
    exitCodes.usage,
    `${id} of this task runs (${attempt.state}) with ${with_}.`,
    `Use \`holdfast say ${id} "…"\` to tell it what changed, or \`holdfast start … --new\` for another attempt beside it.`,
  );
}
