import { takeLock } from './file-lock';
import { endProcesses, type ProcessMark } from './process/end-processes';
import { workspaceError } from './workspace-errors';
import { survives } from './worktree-lock';

/** What runs now under the lock; null where nothing does. */
type Running = ProcessMark | null;

/** Another process clones or sets up the same repository, which can take as long as it takes here, ms. */
const preparingWaitMs = 1_800_000;

/**
 * The work, while nobody else works in the folder: other processes wait, and what a holder that died has left running
 * there is ended first. `mark` says which processes the work is about to run.
 */
export async function locked<T>(
  folder: string,
  signal: AbortSignal,
  work: (mark: (mark: ProcessMark) => void) => Promise<T>,
): Promise<T> {
  const pass = (inherited: Running | undefined): Running => inherited ?? null;
  const lock = await takeLock<Running>({ folder, waitMs: preparingWaitMs, signal, pass });
  if (!lock)
    throw workspaceError(
      'WORKSPACE_BUSY',
      'Another process has been preparing this repository for very long.',
      'Try again, or end that process.',
    );
  const left = lock.inherited;
  if (left && !(await endProcesses(left))) {
    lock.release(left);
    throw survives(left);
  }
  try {
    return await work(lock.note);
  } finally {
    lock.release(null);
  }
}
