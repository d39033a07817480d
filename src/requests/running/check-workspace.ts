import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Config } from '../../config';
import type { WorkspaceSpec } from '../../domain/contract/contract';
import { withoutCredentials } from '../../domain/contract/without-credentials';
import { errnoOf } from '../../domain/failure/errno-of';
import { isAllowedSource } from '../../workspace/allowed-source';
import { RequestRefused } from '../request-refused';
import { isUrl } from '../task/is-url';

const run = promisify(execFile);
/** `git rev-parse` in a local folder takes milliseconds; a folder on a hanging mount should not hang the command. */
const gitCheckTimeoutMs = 10_000;

/**
 * What is wrong with a workspace is said before anything is started, where it can be seen from here: rules of the
 * configuration always, the repository itself only where it is a folder. Rejects with RequestRefused.
 */
export async function checkWorkspace(config: Config, { git, ref }: WorkspaceSpec): Promise<void> {
  const { sources } = config.workspace;
  if (sources !== undefined && !isAllowedSource(git, sources)) {
    const next = `The configuration allows: ${sources.map(withoutCredentials).join(', ')}.`;
    throw new RequestRefused('not_allowed', `A workspace may not come from ${withoutCredentials(git)}.`, next);
  }
  if (isUrl(git)) return;
  if (!existsSync(git))
    throw new RequestRefused('invalid', `The workspace ${git} does not exist.`, 'Correct workspace.git.');
  const below = await gitAnswer(git, ['rev-parse', '--show-prefix']);
  if (below === undefined) {
    const next = 'Make it one: `git init`, then commit.';
    throw new RequestRefused('invalid', `The workspace ${git} is no git repository.`, next);
  }
  if (below !== '') {
    const next = `Name the repository, and in the goal the folder ${below}.`;
    throw new RequestRefused('invalid', `The workspace ${git} is a folder inside a git repository.`, next);
  }
  if (
    (await gitAnswer(git, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`])) === undefined
  ) {
    const next = ref === 'HEAD' ? 'Make a first commit.' : `Correct workspace.ref, or create ${ref}.`;
    throw new RequestRefused('invalid', `The workspace ${git} has no commit "${ref}".`, next);
  }
}

/** What git says, or undefined where it refuses. */
async function gitAnswer(folder: string, args: readonly string[]): Promise<string | undefined> {
  try {
    const { stdout } = await run('git', ['-C', folder, ...args], { timeout: gitCheckTimeoutMs });
    return stdout.trim();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT')
      throw new RequestRefused('invalid', 'git is not installed.', 'Install it; `holdfast doctor` checks the rest.');
    return undefined;
  }
}
