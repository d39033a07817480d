import { existsSync, statSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { workspaceError } from '../workspace-errors';
import { type Git, type GitOutput, gitFailure, gitSaid } from './git';

/**
 * A bare copy of one source repository. The source itself is only read: its checkout, index, branches and hooks stay
 * as they are, and so its uncommitted changes are not seen.
 */
export interface Mirror {
  readonly gitDir: string;
  readonly source: string;
}

/** The source's own HEAD, beside the heads and tags that the mirror copies. */
const sourceHead = 'refs/holdfast-source/HEAD';
const copied = [
  '+refs/heads/*:refs/heads/*',
  '+refs/tags/*:refs/tags/*',
  '+refs/remotes/*:refs/remotes/*',
  `+HEAD:${sourceHead}`,
];

/** Makes or refreshes the mirror. The caller holds the repository's lock. */
export async function refreshMirror(git: Git, folder: string, source: string, signal: AbortSignal): Promise<Mirror> {
  refuseOptions(source);
  const gitDir = join(folder, 'mirror.git');
  if (!existsSync(gitDir)) await clone(git, folder, gitDir, source, signal);
  const fetched = await git.run(
    { gitDir },
    ['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', source, ...copied],
    { signal, remote: true },
  );
  if (fetched.code !== 0) throw await unreadable(git, fetched, source, signal);
  return { gitDir, source };
}

/** The commit that the reference names, where it can be found without asking the source again. */
export async function resolveCommit(git: Git, mirror: Mirror, ref: string, signal: AbortSignal): Promise<string> {
  const places =
    ref === 'HEAD' || /^HEAD[~^@]/.test(ref)
      ? [ref.replace('HEAD', sourceHead)]
      : [`refs/heads/${ref}`, `refs/tags/${ref}`, ref];
  for (const place of places) {
    const found = await git.run(
      { gitDir: mirror.gitDir },
      ['rev-parse', '--verify', '--quiet', '--end-of-options', `${place}^{commit}`],
      { signal },
    );
    if (found.code === 0) return found.stdout.trim();
  }
  throw workspaceError(
    'UNKNOWN_REF',
    `The repository ${mirror.source} has no branch, tag or commit "${ref}".`,
    `Set workspace.ref to one of: ${(await branches(git, mirror)).join(', ')}; or commit what is not committed yet.`,
  );
}

async function clone(git: Git, folder: string, gitDir: string, source: string, signal: AbortSignal): Promise<void> {
  await mkdir(folder, { recursive: true });
  const half = `${gitDir}.half`; // a clone that was cut off never has the name of a whole one
  await rm(half, { recursive: true, force: true });
  const cloned = await git.run(undefined, ['clone', '--quiet', '--bare', '--template=', '--', source, half], {
    signal,
    remote: true,
    cwd: folder,
  });
  if (cloned.code !== 0) throw await unreadable(git, cloned, source, signal);
  await rename(half, gitDir);
}

const branchesShown = 10;
async function branches(git: Git, mirror: Mirror): Promise<readonly string[]> {
  const list = await git.ok({ gitDir: mirror.gitDir }, [
    'for-each-ref',
    `--count=${branchesShown}`,
    '--format=%(refname:short)',
    'refs/heads',
  ]);
  return list.split('\n').filter(Boolean);
}

async function unreadable(git: Git, output: GitOutput, source: string, signal: AbortSignal): Promise<Error> {
  const path = localPath(source);
  if (path !== undefined && !isFolder(path)) {
    return workspaceError(
      'NOT_A_REPOSITORY',
      `workspace.git names ${path}, and there is no such folder.`,
      'Give the path of a git repository, or a URL that git can clone.',
    );
  }
  if (path !== undefined && !(await isRepository(git, path, signal))) {
    return workspaceError(
      'NOT_A_REPOSITORY',
      `${path} is not the root of a git repository.`,
      'Give the root of a repository, or run: git init && git add -A && git commit.',
    );
  }
  if (/couldn't find remote ref HEAD/.test(output.stderr)) {
    return workspaceError(
      'EMPTY_REPOSITORY',
      `The repository ${source} has no commit yet.`,
      'Commit its files first: git add -A && git commit.',
    );
  }
  const failure = gitFailure(output, 'clone');
  if ('failure' in failure && path !== undefined) return failure;
  return workspaceError(
    'CLONE_FAILED',
    `The repository ${source} cannot be read: ${gitSaid(output)}`,
    'Check the address and the credentials (a credential helper, an ssh key, or GIT_ASKPASS): git ls-remote must answer where the worker runs.',
  );
}

/** A path, or a file: URL; undefined for anything that is fetched from elsewhere. */
export function localPath(source: string): string | undefined {
  if (source.startsWith('file://')) return decodeURIComponent(new URL(source).pathname);
  // git reads `host:path` as an address unless a slash comes before the colon
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(source) || /^[^/]+:/.test(source) ? undefined : source;
}

async function isRepository(git: Git, path: string, signal: AbortSignal): Promise<boolean> {
  const answer = await git.run(undefined, ['ls-remote', '--quiet', '--', path], { signal });
  return answer.code === 0;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function refuseOptions(source: string): void {
  if (!source.startsWith('-')) return;
  throw workspaceError(
    'NOT_A_REPOSITORY',
    `workspace.git names "${source}", which is an option and no repository.`,
    'Give a path or a URL.',
  );
}
