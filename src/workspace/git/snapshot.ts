import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceError } from '../workspace-errors';
import { type Git, type GitPlace, gitFailure } from './git';

/** What a worktree is made of, besides its files. */
export interface SnapshotPlace {
  readonly at: Required<GitPlace>;
  readonly base: string;
  readonly ref: string;
  /** Paths that the base commit names as submodules; they stay empty here. */
  readonly submodules: readonly string[];
}

/**
 * The worktree as a commit on the base. The commit holds nothing but tree and base, so a tree that was there before is
 * the same snapshot again: an environment version that is equal where the files are (R7.1).
 */
export async function takeSnapshot(git: Git, place: SnapshotPlace): Promise<string> {
  refuseFilledSubmodules(place);
  const taken = await git.script(place.at, takeScript, [place.base, place.ref]);
  refuseNestedRepository(taken.stderr);
  if (taken.code !== 0) throw gitFailure(taken, 'snapshot');
  return taken.stdout.trim();
}

/** One process start for all of it: each costs more than the work of most git commands. */
const takeScript = `
git add -A || exit 1
tree=$(git write-tree) || exit 1
if [ "$tree" = "$(git rev-parse "$1^{tree}")" ]; then echo "$1"; exit 0; fi
commit=$(git commit-tree -p "$1" -m 'holdfast snapshot' "$tree") || exit 1
git update-ref "$2" "$commit" || exit 1
echo "$commit"
`;

/** Its files would be in no snapshot, and so lost at the next reset. */
function refuseNestedRepository(stderr: string): void {
  const nested =
    /(?:adding embedded git repository: |')(.+?)\/?'? (?:does not have a commit checked out)|adding embedded git repository: (.+)/.exec(
      stderr,
    );
  if (!nested) return;
  throw nestedRepository(nested[1] ?? nested[2] ?? '?');
}

/** git would look into it with the configuration that it finds there, which a command may have written. */
function refuseFilledSubmodules({ at, submodules }: SnapshotPlace): void {
  const filled = submodules.find((path) => existsSync(join(at.workTree, path, '.git')));
  if (filled !== undefined) throw nestedRepository(filled);
}

function nestedRepository(path: string): Error {
  return workspaceError(
    'NESTED_REPOSITORY',
    `The workspace has a git repository of its own in "${path}", which a snapshot cannot hold; nothing of this action was kept.`,
    'Make it in /tmp instead, or remove its .git folder within the same command.',
  );
}
