import { rm } from 'node:fs/promises';
import { endCommands } from './end-commands';
import type { AttemptFolder } from './record';
import { removeTree } from './remove-tree';
import { readWorktree, type Worktree, worktreeFolder, worktreeNumbers } from './worktree';
import { takeWorktree } from './worktree-lock';

/**
 * Ends what runs in the worktrees before this one, and removes those that nobody alive holds. Whoever holds another is
 * frozen or slow: when it wakes, it finds its processes dead and may start none, for it looks which worktree is in force
 * after it has noted a process and before it starts it.
 */
export async function removeOlder(at: AttemptFolder, newest: Worktree): Promise<void> {
  for (const number of worktreeNumbers(at)) {
    if (number >= newest.number) return;
    const folder = worktreeFolder(at, number);
    await endCommands(folder);
    const lock = await takeWorktree(folder, never, 0);
    if (!lock) continue;
    const gitDir = readWorktree(at, number)?.gitDir;
    await removeTree(folder);
    if (gitDir !== undefined) await rm(gitDir, { recursive: true, force: true });
  }
}

const never = new AbortController().signal;
