import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { WorkspaceId } from '../activities/ports';
import type { WorkspaceSpec } from '../domain/contract/contract';
import type { Snapshot } from './git/snapshot';
import { readJsonFile, writeJsonFile } from './json-file';
import { snapshotRef, type WorkspacePaths } from './paths';
import { workspaceError } from './workspace-errors';

/**
 * What `prepare` fixed about an attempt's workspace. It lies apart from the worktrees and layers, which can all be made
 * again from it and the mirror.
 */
export interface WorkspaceRecord {
  readonly v: 1;
  readonly spec: WorkspaceSpec;
  readonly source: string;
  /** The bare copy of the source. */
  readonly mirror: string;
  readonly base: Snapshot;
  readonly submodules: readonly string[];
  /** Folder of the dependency layer, where the repository needs one. */
  readonly layer?: string;
  readonly setupMs: number;
}

/** Where the parts of one attempt's workspace lie. */
export function attemptFolder(paths: WorkspacePaths, id: WorkspaceId) {
  const folder = paths.attempt(id);
  return {
    folder,
    record: paths.record(id),
    ref: snapshotRef(id),
  };
}
export type AttemptFolder = ReturnType<typeof attemptFolder>;

export const findRecord = (at: AttemptFolder) => readJsonFile<WorkspaceRecord>(at.record);
export async function writeRecord(at: AttemptFolder, record: WorkspaceRecord): Promise<void> {
  await mkdir(dirname(at.record), { recursive: true });
  await writeJsonFile(at.record, record, { durable: true });
}

export async function readRecord(at: AttemptFolder): Promise<WorkspaceRecord> {
  const record = await findRecord(at);
  if (record) return record;
  throw workspaceError(
    'WORKSPACE_MISSING',
    'This attempt has no workspace on this host.',
    'Restore the data folder, or start a new attempt.',
  );
}
