import { mkdirSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '../domain/failure/errno-of';
import type { Git } from './git/git';
import type { AttemptFolder, WorkspaceRecord } from './record';
import { workspaceError } from './workspace-errors';
import {
  finishWorktree,
  gitPlace,
  unfinishedWorktree,
  type Worktree,
  worktreeFolder,
  worktreeNumbers,
} from './worktree';
import { takeWorktree, type WorktreeLock, worktreeWaitMs } from './worktree-lock';

/** A worktree that is this process's to change until it releases the lock. */
export interface HeldWorktree {
  readonly worktree: Worktree;
  readonly lock: WorktreeLock;
}

/** Makes one more checkout of the base, with its dependency layer; it is in force once this returns. */
export async function makeWorktree(
  git: Git,
  at: AttemptFolder,
  record: WorkspaceRecord,
  signal: AbortSignal,
): Promise<HeldWorktree> {
  const number = takeNumber(at);
  const folder = worktreeFolder(at, number);
  const lock = await takeWorktree(folder, signal, worktreeWaitMs);
  if (!lock) throw workspaceError('WORKSPACE_BUSY', 'Another process took a worktree in the making.', 'Try again.');
  try {
    const tree = join(folder, 'tree');
    // forced: git remembers a folder of this name that somebody removed by hand
    await git.ok({ gitDir: record.mirror }, [
      'worktree',
      'add',
      '--quiet',
      '--force',
      '--detach',
      tree,
      record.base.commit,
    ]);
    // git has written it just now; later this file is not believed
    const gitDir = (await readFile(join(tree, '.git'), 'utf8')).replace(/^gitdir: /, '').trim();
    const worktree = unfinishedWorktree(at, number, gitDir);
    await startIndex(git, worktree, record);
    await finishWorktree(worktree);
    return { worktree, lock: { ...lock, clean: record.base } };
  } catch (error) {
    lock.release(undefined);
    throw error;
  }
}

function takeNumber(at: AttemptFolder): number {
  mkdirSync(at.folder, { recursive: true });
  for (let number = (worktreeNumbers(at).at(-1) ?? 0) + 1; ; number += 1) {
    try {
      mkdirSync(worktreeFolder(at, number));
      return number;
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error;
    }
  }
}

async function startIndex(git: Git, worktree: Worktree, record: WorkspaceRecord): Promise<void> {
  const place = gitPlace(worktree, record);
  await rm(worktree.index, { force: true });
  await git.ok(place, ['read-tree', record.base.commit]);
  await git.ok(place, ['update-index', '-q', '--refresh']);
}
