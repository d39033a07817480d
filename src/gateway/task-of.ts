import { InputError } from '../located-yaml/input-error';
import { RequestRefused } from '../requests/request-refused';
import type { Session } from '../requests/session';
import { isUrl } from '../requests/task/is-url';
import { parseTask, type TaskFile } from '../requests/task/task-file';
import type { Gateway } from './gateway';
import { Problem } from './problem';

/**
 * The task that came in a request. A repository of the gateway's own machine is only what the configuration names, for whoever asks
 * sits elsewhere. Throws Problem `invalid` with each place that is wrong; RequestRefused where the workspace may not be had.
 */
export async function taskOf(
  { config }: Session,
  { known }: Pick<Gateway, 'known'>,
  task: string | object,
): Promise<TaskFile> {
  const text = typeof task === 'string' ? task : JSON.stringify(task, null, 2);
  let file: TaskFile;
  try {
    file = parseTask('task', text, { ...(await known()), folder: config.calledFrom });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const errors = error.problems.map(({ at, message }) => ({
      at: at === undefined ? 'body.task' : `body.task:${at.line}:${at.column}`,
      why: message,
    }));
    throw new Problem('invalid', 'The task is not what a task file may say.', { errors });
  }
  const { workspace } = file.contract;
  const { sources } = config.workspace;
  if (workspace !== undefined && !isUrl(workspace.git) && sources === undefined && !config.policy.singleUser)
    throw new RequestRefused(
      'not_allowed',
      `A workspace may not come from the folder ${workspace.git}.`,
      'Name it in holdfast.yaml, under `workspace: { sources: [FOLDER] }`, or give a URL.',
    );
  return file;
}
