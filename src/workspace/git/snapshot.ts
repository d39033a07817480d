import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceError } from '../workspace-errors';
import { type Git, type GitPlace, gitFailure } from './git';

/** What a worktree is made of, besides its files. */
export interface SnapshotPlace {
  readonly at: Required<GitPlace>;
  readonly base: Snapshot;
  readonly ref: string;
  /** Paths that the base commit names as submodules; they stay empty here. */
  readonly submodules: readonly string[];
}

export interface Snapshot {
  readonly commit: string;
  readonly tree: string;
}

/**
 * The worktree as a commit on the base. The commit holds nothing but tree and base, so a tree that was there before is
 * the same snapshot again: an environment version that is equal where the files are (R7.1). `last` saves the making
 * where nothing changed.
 */
export async function takeSnapshot(git: Git, place: SnapshotPlace, last: Snapshot | undefined): Promise<Snapshot> {
  refuseFilledSubmodules(place);
  const { base } = place;
  const known = last ?? base;
  const args = [base.commit, base.tree, place.ref, known.commit, known.tree];
  const taken = await git.script(place.at, takeScript, args);
  refuseNestedRepository(taken.stderr);
  if (taken.code !== 0) throw gitFailure(taken, 'snapshot');
  const [commit = '', tree = ''] = taken.stdout.trim().split(' ');
  return { commit, tree };
}

/** One process start of ours for all of it, and as few of git's as can be: each costs more than most of its work. */
const takeScript = `
git add -A || exit 1
tree=$(git write-tree) || exit 1
case $tree in
  "$2") commit=$1 ;;
  "$5") commit=$4 ;;
  *) commit=$(git commit-tree -p "$1" -m 'holdfast snapshot' "$tree") && git update-ref "$3" "$commit" || exit 1 ;;
esac
echo "$commit $tree"
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
