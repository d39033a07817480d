import { realpathSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import type { BroughtFiles } from '../../domain/contract/contract';
import { localPath } from '../git/mirror';
import type { Host } from '../host';
import type { WorkspaceRecord } from '../record';
import { sandboxHome, visiblePaths } from '../sandbox/bubblewrap';
import { commandEnvironment } from '../sandbox/environment';
import { workspaceError } from '../workspace-errors';

/**
 * Throws WorkspaceError where a command of the attempt could read a sealed test (R3.4): commands here run in no sandbox, or the files lie
 * where every sandbox looks, in the workspace's source, or among the worktrees.
 */
export async function refuseReachable(
  host: Host,
  { source }: Pick<WorkspaceRecord, 'source'>,
  files: BroughtFiles | undefined,
): Promise<void> {
  if ((await host.sandbox()).kind === 'none') {
    throw workspaceError(
      'SANDBOX_MISSING',
      'Without a sandbox a command of the agent can read what a sealed test is made of.',
      'Install bubblewrap where the worker runs; `holdfast doctor` says what is missing.',
    );
  }
  const folder = files && host.files[files.name];
  if (folder === undefined) return;
  const path = commandEnvironment(host.env, sandboxHome)['PATH'] ?? '';
  const places = [...visiblePaths(path), ...host.readOnly, host.paths.root, localPath(source) ?? []].flat();
  const real = realOrSelf(folder);
  const shares = (place: string) => isAtOrBelow(real, place) || isAtOrBelow(place, real);
  if (!places.some((place) => shares(realOrSelf(place)))) return;
  throw workspaceError(
    'FILES_REACHABLE',
    `The files "${files?.name}" lie where commands of the agent can read.`,
    'Put them outside of the repository, of the data folder, and of the folders of programs.',
  );
}

const isAtOrBelow = (path: string, folder: string) => !`${relative(folder, path)}${sep}`.startsWith(`..${sep}`);

function realOrSelf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
