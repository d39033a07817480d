import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { configOfProcess } from '../../config';
import { fallbackOrder } from '../../config/models';
import type { StartedAttempt } from '../../ledger/insert-attempt';
import { taskOf, workflowId } from '../../protocol/ids';
import { attemptsOf } from '../../requests/acts/attempts-beside';
import { type StartedTask, startTask } from '../../requests/acts/start-task';
import type { Session } from '../../requests/session';
import { knownFiles } from '../../requests/task/known-files';
import { readTaskFile, type TaskFile } from '../../requests/task/task-file';
import { toolNames } from '../../requests/task/tool-names';
import { CliError } from '../cli-error';
import type { CommonOptions, FollowOptions } from '../common-options';
import { conclude } from '../conclude';
import { concludeRace } from '../conclude-race';
import { type ExitCode, exitCodeOf, exitCodes } from '../exit-codes';
import { note, printJson } from '../output';
import { withSession } from '../session';
import { takenWords } from '../taken-words';
import { tell } from '../tell';
import { unpricedWords } from '../unpriced';

export interface StartOptions extends CommonOptions, FollowOptions {
  readonly input?: string;
  readonly model?: string;
  readonly again?: boolean;
  readonly new?: boolean;
  readonly by?: string;
  /** Attempts side by side (R15.1). */
  readonly attempts?: number;
}

/** Starts a task's next attempt, or finds the one that the same start made before. */
export async function start(path: string, options: StartOptions): Promise<ExitCode> {
  // Read first: a wrong task file is told also where nothing runs.
  const file = await taskFrom(path, options);
  const attempts = attemptsOf(options.attempts ?? 1, file.contract);
  return withSession(options, async (session) => {
    const { again = false, new: beside = false } = options;
    const begun = await startTask(session, file, { again, beside, attempts });
    const { ref } = begun.attempt;
    if (!options.json) tell(session, headline(begun));
    const unknown = unpricedWords(session.config.models, fallbackOrder(session.config.models, file.model));
    if (!options.json && unknown !== undefined) note(unknown);
    if (begun.race) return startedRace(session, begun, begun.race, options);
    const ids = {
      attemptId: ref.id,
      taskId: file.task,
      workflowId: begun.workflowId,
      runId: begun.runId ?? null,
      ...(begun.took && { took: begun.took }),
    };
    if (options.watch || options.wait)
      return conclude(session, ref, { ...options, extra: { ...ids, outcome: begun.kind } });

    const { state, reason } = begun.attempt;
    if (options.json) printJson({ ...ids, outcome: begun.kind, state, reason });
    return begun.kind === 'completed_before' ? exitCodeOf(reason) : exitCodes.done;
  });
}

/** Of attempts side by side each has its place in the list. */
async function startedRace(
  session: Session,
  { kind }: StartedTask,
  race: readonly StartedAttempt[],
  options: StartOptions,
): Promise<ExitCode> {
  if (options.watch || options.wait) {
    const refs = race.map(({ ref }) => ref);
    return concludeRace(session, refs, options);
  }
  if (options.json)
    printJson(
      race.map(({ ref, state, reason }) => ({
        attemptId: ref.id,
        taskId: taskOf(ref.id),
        workflowId: workflowId(ref.tenant, ref.id),
        outcome: kind,
        state,
        reason,
      })),
    );
  return exitCodes.done;
}

async function taskFrom(path: string, { input, model, ...options }: StartOptions): Promise<TaskFile> {
  const config = configOfProcess(options);
  const { models, calledFrom } = config;
  const names = Object.keys(models);
  const known = await toolNames(config);
  const file = readTaskFile(taskPath(path, calledFrom), {
    ...known,
    files: await knownFiles(config),
    models: names,
    ...(model !== undefined && { model }),
  });
  const others = file.contract.tools.filter((tool) => !known.tools.includes(tool));
  if (others.length > 0)
    note(`Only the MCP servers know whether there is ${others.join(', ')}; what is not there is not offered.`);
  return { ...file, ...(input !== undefined && { input }) };
}

/** As it was typed, where that leads to a file, so that problems name it so. */
function taskPath(path: string, calledFrom: string): string {
  const found = resolve(calledFrom, path);
  if (statSync(found, { throwIfNoEntry: false })?.isDirectory()) {
    throw new CliError(exitCodes.usage, `${path} is a folder.`, 'Name the task file in it, such as task.yaml.');
  }
  return calledFrom === process.cwd() ? path : found;
}

function headline({ kind, attempt, took, race }: StartedTask): string {
  const { id } = attempt.ref;
  if (race) {
    const all = race.map(({ ref }) => ref.id).join(', ');
    if (kind !== 'created') return `${all} run side by side already; this start made them before.`;
    const knows = took ? `; each knows the record of ${took.from} (${takenWords(took)})` : '';
    return `Started ${all} side by side${knows}. The first that meets the contract is the result; \`holdfast list\` shows how they stand.`;
  }
  switch (kind) {
    case 'created':
      return `Started ${id}${took ? `, which knows the record of ${took.from} (${takenWords(took)})` : ''}. Follow it with \`holdfast watch ${id}\`.`;
    case 'running':
      return `${id} runs already (${attempt.state}); this start made it before.`;
    case 'completed_before':
      return `${id} has completed this task under the same contract; \`--again\` makes another attempt.`;
  }
}
