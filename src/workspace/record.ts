import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkspaceId } from '../activities/ports';
import type { Snapshot } from './git/snapshot';
import { readJsonFile, writeJsonFile } from './json-file';
import { snapshotRef, type WorkspacePaths } from './paths';
import { workspaceError } from './workspace-errors';

/** What `prepare` fixed about an attempt's workspace; written last, so one that is there is whole. */
export interface WorkspaceRecord {
  readonly v: 1;
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
    record: join(folder, 'record.json'),
    ref: snapshotRef(id),
  };
}
export type AttemptFolder = ReturnType<typeof attemptFolder>;

export const findRecord = (at: AttemptFolder) => readJsonFile<WorkspaceRecord>(at.record);
export async function writeRecord(at: AttemptFolder, record: WorkspaceRecord): Promise<void> {
  await mkdir(at.folder, { recursive: true });
  await writeJsonFile(at.record, record, { durable: true });
}

export async function readRecord(at: AttemptFolder): Promise<WorkspaceRecord> {
  const record = await findRecord(at);
  if (record) return record;
  throw workspaceError(
    'WORKSPACE_MISSING',
    'This attempt has no workspace on this host.',
    'Prepare it here, or go on at the host that has it.',
  );
}
