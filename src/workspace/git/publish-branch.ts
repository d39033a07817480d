import { workspaceError } from '../workspace-errors';
import { type Git, gitSaid } from './git';
import { localPath, type Mirror } from './mirror';

export interface Publication {
  readonly base: string;
  readonly snapshot: string;
  readonly branch: string;
  readonly message: string;
}

/**
 * Makes the branch, as one commit on the base. For a local repository it is made there, by fetching, which touches
 * neither checkout nor index; for a remote one it stays in the mirror.
 *
 *   I1  A branch is made and never moved: one that is there with other content is somebody's.
 *   I2  The same publication again finds its own branch and changes nothing.
 *   I3  What holds the files of the base has nothing to hand over: no branch is made, and undefined returned.
 */
export async function publishBranch(git: Git, mirror: Mirror, publication: Publication): Promise<string | undefined> {
  const { branch } = publication;
  const valid = await git.run(undefined, ['check-ref-format', `refs/heads/${branch}`]);
  if (valid.code !== 0 || branch.startsWith('-'))
    throw workspaceError('BAD_BRANCH', `"${branch}" is no name for a branch.`, 'Name another branch.');

  const target = localPath(mirror.source);
  const at = target === undefined ? { gitDir: mirror.gitDir } : undefined;
  const options = target === undefined ? {} : { cwd: target };
  const before = await git.run(
    at,
    ['log', '-1', '--format=%H %T %P%n%B', '--end-of-options', `refs/heads/${branch}`, '--'],
    options,
  );
  const treeOf = async (commit: string) =>
    (await git.ok({ gitDir: mirror.gitDir }, ['rev-parse', `${commit}^{tree}`])).trim();
  const tree = await treeOf(publication.snapshot);
  if (before.code === 0) return sameCommit(before.stdout, tree, publication) ?? fail(branch); // I1, I2
  if (tree === (await treeOf(publication.base))) return undefined; // I3

  const commit = await commitTree(git, mirror.gitDir, tree, publication);
  if (target === undefined) {
    await git.ok(at, ['update-ref', `refs/heads/${branch}`, commit, zeroes(commit)], options);
    return commit;
  }
  const carrier = `refs/holdfast-published/${commit}`;
  await git.ok({ gitDir: mirror.gitDir }, ['update-ref', carrier, commit]);
  const fetch = [
    'fetch',
    '--quiet',
    '--no-tags',
    '--no-write-fetch-head',
    '--no-recurse-submodules',
    '--no-auto-maintenance',
  ];
  const fetched = await git.run(undefined, [...fetch, mirror.gitDir, `${carrier}:refs/heads/${branch}`], options);
  await git.run({ gitDir: mirror.gitDir }, ['update-ref', '-d', carrier]);
  if (fetched.code !== 0) throw exists(branch, gitSaid(fetched));
  return commit;
}

/** The branch's commit where it says what this publication says, whenever it was made. */
function sameCommit(log: string, tree: string, { base, message }: Publication): string | undefined {
  const [facts = '', ...body] = log.split('\n');
  const [commit, itsTree, ...parents] = facts.split(' ');
  const same = itsTree === tree && parents.join() === base && body.join('\n').trim() === message.trim();
  return same ? commit : undefined;
}

async function commitTree(git: Git, gitDir: string, tree: string, { base, message }: Publication): Promise<string> {
  const now = { date: new Date() }; // a person reads it, unlike a snapshot's
  return (await git.ok({ gitDir }, ['commit-tree', '-p', base, '-m', message, tree], now)).trim();
}

const zeroes = (commit: string) => '0'.repeat(commit.length);

function fail(branch: string): never {
  throw exists(branch);
}

function exists(branch: string, said = 'it is there with other content'): Error {
  return workspaceError(
    'BRANCH_EXISTS',
    `The branch ${branch} cannot be made: ${said}.`,
    'Rename or delete that branch, or name another one.',
  );
}
