import { takeLock } from './file-lock';
import { endProcesses, type ProcessMark } from './process/end-processes';
import { currentBoot } from './process/process-table';
import { workspaceError } from './workspace-errors';

/** What the holder of a worktree leaves for the next one (E10). */
export interface WorktreeNote {
  /** Processes that a command of the holder may still have. */
  readonly mark?: ProcessMark;
  /** The worktree is exactly this snapshot; absent while anybody works in it. */
  readonly clean?: string;
  /** Files that a machine did not write before its power was cut are not what the note says. */
  readonly boot: string;
}

export interface WorktreeLock {
  /** The snapshot that the worktree is known to be. */
  readonly clean: string | undefined;
  /** Says which processes run in it, before they run. */
  readonly mark: (mark: ProcessMark) => Promise<void>;
  /** `clean`: the snapshot that the worktree is now; undefined where nobody knows. */
  readonly release: (clean: string | undefined) => Promise<void>;
}

/** An action of another process holds it that long at most where all is well; then the try is repeated later, ms. */
export const worktreeWaitMs = 10_000;

/** Takes the worktree and ends what its last holder left running. Throws WORKSPACE_BUSY. */
export async function takeWorktree(folder: string, signal: AbortSignal, waitMs: number): Promise<WorktreeLock> {
  const lock = await takeLock<WorktreeNote>(folder, waitMs, signal);
  if (!lock)
    throw workspaceError(
      'WORKSPACE_BUSY',
      'Another process works in this workspace.',
      'Try again when it has finished.',
    );

  const boot = currentBoot();
  const left = lock.inherited?.boot === boot ? lock.inherited : undefined;
  const release = (clean: string | undefined) => lock.release({ boot, ...(clean === undefined ? {} : { clean }) });
  if (left?.mark && !(await endProcesses(left.mark))) {
    await lock.release(left);
    throw survives(left.mark);
  }
  await lock.note({ boot }); // whoever takes over from here knows nothing of the files
  return { clean: left?.clean, mark: (mark) => lock.note({ boot, mark }), release };
}

export const survives = ({ leader }: ProcessMark) =>
  workspaceError(
    'PROCESS_SURVIVES',
    `A process of an earlier command (group ${leader.pid}) cannot be ended.`,
    'End it by hand, or restart the machine.',
  );
