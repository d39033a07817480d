import { rm } from 'node:fs/promises';
import { workspaceError } from '../workspace-errors';
import { type Git, type GitPlace, gitFailure } from './git';
import type { Snapshot } from './snapshot';

/**
 * Puts the worktree back to the snapshot: changed, new and ignored files of a half-done try are gone (E10). `spared`
 * are paths from the root that stay whatever they hold. Undefined where files refuse to go.
 */
export async function resetTo(
  git: Git,
  place: Required<GitPlace>,
  commit: string,
  spared: readonly string[],
): Promise<Snapshot | undefined> {
  await rm(`${place.indexFile}.lock`, { force: true }); // of a git that was killed
  const excludes = spared.flatMap((path) => ['-e', `/${escapePattern(path)}`]);
  const reset = await git.script(place, resetScript, [commit, ...excludes]);
  if (reset.code === 0) return { commit, tree: reset.stdout.trim() };
  if (reset.code === snapshotMissing) {
    throw workspaceError(
      'SNAPSHOT_MISSING',
      `The snapshot ${commit} is not in the data folder's copy of the repository.`,
      'Restore the data folder, or start a new attempt.',
    );
  }
  if (
    /Permission denied|Operation not permitted|failed to remove|unable to unlink|index file corrupt/i.test(reset.stderr)
  )
    return undefined;
  throw gitFailure(reset, 'reset');
}

/** An exit code that neither git nor a shell gives. */
const snapshotMissing = 64;
const resetScript = `
git rev-parse --verify --quiet --end-of-options "$1^{tree}" || exit ${snapshotMissing}
git read-tree --reset -u "$1" || exit 1
shift
git clean -ffdxq "$@"
`;

/** A path as a pattern of gitignore that matches only itself. */
export const escapePattern = (path: string) => path.replace(/[\\*?[\] !#]/g, '\\$&');
