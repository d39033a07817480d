import { workspaceError } from '../workspace-errors';
import { type Git, type GitPlace, gitFailure } from './git';

/**
 * Puts the worktree back to the snapshot: changed, new and ignored files of a half-done try are gone (E10). `spared`
 * are paths from the root that stay whatever they hold. False where files refuse to go.
 */
export async function resetTo(
  git: Git,
  place: Required<GitPlace>,
  snapshot: string,
  spared: readonly string[],
): Promise<boolean> {
  const known = await git.run(place, ['cat-file', '-e', `${snapshot}^{commit}`]);
  if (known.code !== 0) {
    throw workspaceError(
      'SNAPSHOT_MISSING',
      `The snapshot ${snapshot} is not in the data folder's copy of the repository.`,
      'Restore the data folder, or start a new attempt.',
    );
  }
  const excludes = spared.flatMap((path) => ['-e', `/${escapePattern(path)}`]);
  const reset = await git.script(place, 'git read-tree --reset -u "$1" || exit 1; shift; git clean -ffdxq "$@"', [
    snapshot,
    ...excludes,
  ]);
  if (reset.code === 0) return true;
  if (
    /Permission denied|Operation not permitted|failed to remove|unable to unlink|index file corrupt/i.test(reset.stderr)
  )
    return false;
  throw gitFailure(reset, 'reset');
}

/** A path as a pattern of gitignore that matches only itself. */
export const escapePattern = (path: string) => path.replace(/[\\*?[\] !#]/g, '\\$&');
