import { readNote, takeLock } from './file-lock';
import type { Snapshot } from './git/snapshot';
import { endProcesses, endStartedWith, type ProcessMark } from './process/end-processes';
import { currentBoot } from './process/process-table';
import { workspaceError } from './workspace-errors';
import { indexIn } from './worktree';

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

/**
 * How long a live holder is waited for, ms. It has lost its lease, or it would not be asked to make room (M9): a healthy
 * one has ended its work by then or is about to, within the grace of its processes (2 s).
 */
export const worktreeWaitMs = 2_500;

/** Takes the worktree and ends what its last holder left running. Undefined where somebody alive keeps it. */
export async function takeWorktree(
  folder: string,
  signal: AbortSignal,
  waitMs: number,
): Promise<WorktreeLock | undefined> {
  const boot = currentBoot();
  const lock = await takeLock<WorktreeNote>({
    folder,
    waitMs,
    signal,
    // whoever takes over from here on knows nothing of the files, and has the same processes to end
    pass: (inherited) => ({ boot, ...markOf(ofThisBoot(inherited)) }),
  });
  if (!lock) return undefined;
  const left = ofThisBoot(lock.inherited);
  if (left?.mark && !(await endProcesses(left.mark))) {
    lock.release(left);
    throw survives(left.mark);
  }
  if (left && !left.clean) await endGit(folder);
  return {
    clean: left?.clean,
    mark: (mark) => lock.note({ boot, mark }),
    release: (clean) => lock.release(clean === undefined ? { boot } : { boot, clean }),
  };
}

/** The snapshot that the worktree is, and nobody works in it; undefined where that is not known. */
export function cleanSnapshot(folder: string): string | undefined {
  return ofThisBoot(readNote<WorktreeNote>(folder))?.clean?.commit;
}

/** A killed worker's git goes on by itself, and would change files under the next holder. */
async function endGit(folder: string): Promise<void> {
  await endStartedWith(`GIT_INDEX_FILE=${indexIn(folder)}`);
}

const ofThisBoot = (note: WorktreeNote | undefined) => (note?.boot === currentBoot() ? note : undefined);

const markOf = (note: WorktreeNote | undefined) => (note?.mark === undefined ? {} : { mark: note.mark });

export const survives = ({ leader }: ProcessMark) =>
  workspaceError(
    'PROCESS_SURVIVES',
    `A process of an earlier command (group ${leader.pid}) cannot be ended.`,
    'End it by hand, or restart the machine.',
  );
