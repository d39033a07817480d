import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { configOfProcess } from '../../config';
import { fallbackOrder } from '../../config/models';
import { type Begun, begin } from '../begin';
import { CliError } from '../cli-error';
import type { CommonOptions, FollowOptions } from '../common-options';
import { conclude } from '../conclude';
import { type ExitCode, exitCodeOf, exitCodes } from '../exit-codes';
import { knownFiles } from '../known-files';
import { note, printJson } from '../output';
import { loginName } from '../send';
import { withSession } from '../session';
import { takenWords } from '../taken-words';
import { readTaskFile, type TaskFile } from '../task-file';
import { tell } from '../tell';
import { toolNames } from '../tool-names';
import { unpricedWords } from '../unpriced';

export interface StartOptions extends CommonOptions, FollowOptions {
  readonly input?: string;
  readonly model?: string;
  readonly again?: boolean;
  readonly new?: boolean;
  readonly by?: string;
}

/** Starts a task's next attempt, or finds the one that the same start made before. */
export async function start(path: string, options: StartOptions): Promise<ExitCode> {
  // Read first: a wrong task file is told also where nothing runs.
  const file = await taskFrom(path, options);
  return withSession(options, async (session) => {
    const { again = false, new: beside = false, by = loginName() } = options;
    const begun = await begin(session, file, { again, beside, by });
    const { ref } = begun.attempt;
    const ids = {
      attemptId: ref.id,
      taskId: file.task,
      workflowId: begun.workflowId,
      runId: begun.runId ?? null,
      ...(begun.took && { took: begun.took }),
    };
    if (!options.json) tell(session, headline(begun));
    const unknown = unpricedWords(session.config.models, fallbackOrder(session.config.models, file.model));
    if (!options.json && unknown !== undefined) note(unknown);
    if (options.watch || options.wait)
      return conclude(session, ref, { ...options, extra: { ...ids, outcome: begun.kind } });

    const { state, reason } = begun.attempt;
    if (options.json) printJson({ ...ids, outcome: begun.kind, state, reason });
    return begun.kind === 'completed_before' ? exitCodeOf(reason) : exitCodes.done;
  });
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

function headline({ kind, attempt, took }: Begun): string {
  const { id } = attempt.ref;
  switch (kind) {
    case 'created':
      return `Started ${id}${took ? `, which knows the record of ${took.from} (${takenWords(took)})` : ''}. Follow it with \`holdfast watch ${id}\`.`;
    case 'running':
      return `${id} runs already (${attempt.state}); this start made it before.`;
    case 'completed_before':
      return `${id} has completed this task under the same contract; \`--again\` makes another attempt.`;
  }
}
