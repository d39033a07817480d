import { join } from 'node:path';
import type { AttemptRef } from '../../protocol/ids';
import { workspacePaths } from '../../workspace/paths';
import { attemptFolder, findRecord } from '../../workspace/record';
import { newestWorktree } from '../../workspace/worktree';

/** Where an attempt's work lies on this machine. */
export interface WorkspacePlace {
  /** The folder that the agent works in; null where it was removed. */
  readonly worktree: string | null;
  /** A bare repository with the base and every snapshot. */
  readonly mirror: string;
}

/** Null where another machine has it, or none was made yet. */
export async function workspacePlace(dataDir: string, { tenant, id }: AttemptRef): Promise<WorkspacePlace | null> {
  const at = attemptFolder(workspacePaths(join(dataDir, 'workspaces')), { tenant, attempt: id });
  const record = await findRecord(at);
  if (record === undefined) return null;
  return { worktree: newestWorktree(at)?.tree ?? null, mirror: record.mirror };
}
