import type { WorkspaceId, WorkspaceOrigin } from '../activities/ports';
import type { Host } from './host';
import { findWorkspace, prepareWorkspace } from './prepare';
import { attemptFolder, type WorkspaceRecord } from './record';
import { workspaceError } from './workspace-errors';

/**
 * A worktree that begins at another attempt's snapshot: on that one's base, in the same mirror, which has its commits; the first
 * to hold the worktree sets it to the snapshot. A ref of its own keeps the snapshot, whatever becomes of the other attempt.
 */
export async function prepareFrom(
  host: Host,
  id: WorkspaceId,
  { attempt, snapshot }: WorkspaceOrigin,
  signal: AbortSignal,
  onProgress: (line: string) => void,
): Promise<WorkspaceRecord> {
  const { mirror, spec, base } = await findWorkspace(host, { tenant: id.tenant, attempt }, signal);
  const kept = await host.git.run({ gitDir: mirror }, ['cat-file', '-e', `${snapshot}^{commit}`], { signal });
  if (kept.code !== 0) {
    throw workspaceError(
      'SNAPSHOT_MISSING',
      `The snapshot ${snapshot} of ${attempt} is not in the data folder's copy of the repository.`,
      'Restore the data folder, or start a new attempt.',
    );
  }
  const record = await prepareWorkspace(host, id, spec, signal, onProgress, base.commit);
  const { ref } = attemptFolder(host.paths, id);
  // Only where it is not there yet: a repeat must not take a later snapshot's place.
  const found = await host.git.run({ gitDir: record.mirror }, ['rev-parse', '--verify', '--quiet', ref], { signal });
  if (found.code !== 0) await host.git.ok({ gitDir: record.mirror }, ['update-ref', ref, snapshot]);
  return record;
}
