import { readNote } from './file-lock';
import { endProcesses } from './process/end-processes';
import { survives, type WorktreeNote } from './worktree-lock';

/** Ends every process that the worktree's lock names, checked dead; whoever holds the lock keeps it. */
export async function endCommands(folder: string): Promise<void> {
  const { mark } = readNote<WorktreeNote>(folder) ?? {};
  if (mark && !(await endProcesses(mark))) throw survives(mark);
}
