import { takeLock } from './file-lock';
import type { Snapshot } from './git/snapshot';
import { endProcesses, type ProcessMark } from './process/end-processes';
import { currentBoot } from './process/process-table';
import { workspaceError } from './workspace-errors';

/** What the holder of a worktree leaves for the next one (E10). */
export interface WorktreeNote {
  /** Processes that a command of the holder may still have. */
  readonly mark?: ProcessMark;
  /** The worktree is exactly this snapshot; absent while anybody works in it. */
  readonly clean?: Snapshot;
  /** Files that a machine did not write before its power was cut are not what the note says. */
  readonly boot: string;
}

export interface WorktreeLock {
  /** The snapshot that the worktree is known to be. */
  readonly clean: Snapshot | undefined;
  /** Says which processes run in it, before they run. */
  readonly mark: (mark: ProcessMark) => void;
  /** `clean`: the snapshot that the worktree is now; undefined where nobody knows. */
  readonly release: (clean: Snapshot | undefined) => void;
}

/** An action of another process holds it that long at most where all is well; then the try is repeated later, ms. */
export const worktreeWaitMs = 10_000;

/** Takes the worktree and ends what its last holder left running. Throws WORKSPACE_BUSY. */
export async function takeWorktree(folder: string, signal: AbortSignal, waitMs: number): Promise<WorktreeLock> {
  const boot = currentBoot();
  const ofThisBoot = (note: WorktreeNote | undefined) => (note?.boot === boot ? note : undefined);
  const lock = await takeLock<WorktreeNote>({
    folder,
    waitMs,
    signal,
    // whoever takes over from here on knows nothing of the files, and has the same processes to end
    pass: (inherited) => ({ boot, ...markOf(ofThisBoot(inherited)) }),
  });
  if (!lock) {
    throw workspaceError(
      'WORKSPACE_BUSY',
      'Another process works in this workspace.',
      'Try again when it has finished.',
    );
  }
  const left = ofThisBoot(lock.inherited);
  if (left?.mark && !(await endProcesses(left.mark))) {
    lock.release(left);
    throw survives(left.mark);
  }
  return {
    clean: left?.clean,
    mark: (mark) => lock.note({ boot, mark }),
    release: (clean) => lock.release(clean === undefined ? { boot } : { boot, clean }),
  };
}

const markOf = (note: WorktreeNote | undefined) => (note?.mark === undefined ? {} : { mark: note.mark });

export const survives = ({ leader }: ProcessMark) =>
  workspaceError(
    'PROCESS_SURVIVES',
    `A process of an earlier command (group ${leader.pid}) cannot be ended.`,
    'End it by hand, or restart the machine.',
  );
