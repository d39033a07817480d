import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Git } from './git/git';
import { readJsonFile, writeJsonFile } from './json-file';
import { endProcesses, type ProcessMark } from './process/end-processes';
import { identify, isAlive, type ProcessIdentity } from './process/process-table';
import { removeTree } from './remove-tree';

/** Beside each copy, so that whoever comes later can clean up after a process that died. */
interface CopyNote {
  readonly holder: ProcessIdentity;
  readonly mark?: ProcessMark;
}

export interface CleanCopySource {
  /** The repository's own folder; copies lie in its `clean`. */
  readonly folder: string;
  readonly gitDir: string;
  readonly commit: string;
}
export interface CleanCopy {
  readonly root: string;
  /** Goes with the copy. */
  readonly home: string;
  /** Says which processes run in it. */
  readonly mark: (mark: ProcessMark) => Promise<void>;
}

/**
 * A checkout of the commit in a place of its own, removed when `use` has ended. What processes that died have left
 * beside it goes first.
 */
export async function withCleanCopy<T>(
  git: Git,
  { folder, gitDir, commit }: CleanCopySource,
  use: (copy: CleanCopy) => Promise<T>,
): Promise<T> {
  const copies = join(folder, 'clean');
  await mkdir(copies, { recursive: true });
  await sweep(copies, gitDir);

  const holder = identify(process.pid);
  if (!holder) throw new Error('this process is not in the process table');
  const name = randomUUID();
  const root = join(copies, name);
  const note = (rest: Omit<CopyNote, 'holder'>) =>
    writeJsonFile(noteOf(root), { holder, ...rest } satisfies CopyNote, { durable: false });
  await note({});
  try {
    await git.ok({ gitDir }, ['worktree', 'add', '--quiet', '--detach', root, commit]);
    return await use({ root, home: homeOf(root), mark: (mark) => note({ mark }) });
  } finally {
    await remove(gitDir, root);
  }
}

const noteOf = (root: string) => `${root}.json`;
const homeOf = (root: string) => `${root}.home`;

async function sweep(copies: string, gitDir: string): Promise<void> {
  const notes = (await readdir(copies)).filter((name) => name.endsWith('.json'));
  for (const name of notes) {
    const root = join(copies, name.slice(0, -'.json'.length));
    const left = await readJsonFile<CopyNote>(noteOf(root));
    if (!left || isAlive(left.holder)) continue;
    if (left.mark) await endProcesses(left.mark);
    await remove(gitDir, root);
  }
}

/** With git's own note of it, which git names after the folder, and folders after nobody else's. */
async function remove(gitDir: string, root: string): Promise<void> {
  await removeTree(root);
  await removeTree(homeOf(root));
  await rm(join(gitDir, 'worktrees', basename(root)), { recursive: true, force: true });
  await rm(noteOf(root), { force: true });
}
