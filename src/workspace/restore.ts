import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { KeptBundle, WorkspaceId } from '../activities/ports';
import type { WorkspaceSpec } from '../domain/contract/contract';
import { hasCommit, makeBundle, readBundles } from './git/bundle';
import type { Host } from './host';
import { isWhole, mirrorOf, prepareWorkspace } from './prepare';
import { attemptFolder, findRecord, readRecord, type WorkspaceRecord } from './record';
import { workspaceError } from './workspace-errors';

/** Whether calls on the workspace find it here, at this snapshot. */
export async function holdsSnapshot(
  host: Host,
  id: WorkspaceId,
  snapshot: string,
  signal: AbortSignal,
): Promise<boolean> {
  const record = await findRecord(attemptFolder(host.paths, id));
  return record !== undefined && isWhole(record) && (await hasCommit(host.git, record.mirror, snapshot, signal));
}

export async function bundleOf(
  host: Host,
  id: WorkspaceId,
  snapshot: string,
  thinOn: string | undefined,
  signal: AbortSignal,
): Promise<Buffer> {
  const { mirror, base } = await readRecord(attemptFolder(host.paths, id));
  const without = [base.commit, ...(thinOn === undefined ? [] : [thinOn])];
  return makeBundle(host.git, mirror, { commit: snapshot, without, signal });
}

export async function fetchBundles(
  host: Host,
  id: WorkspaceId,
  bundles: readonly KeptBundle[],
  signal: AbortSignal,
): Promise<void> {
  const { mirror } = await readRecord(attemptFolder(host.paths, id));
  await readBundles(host.git, mirror, bundles, bundleFile(host), signal);
}

const bundleFile = ({ paths }: Host) => join(paths.root, 'bundles', randomUUID());

/**
 * Makes what is missing here of a workspace that another host had: the copy of the source, the commits of the snapshot, the
 * dependency layer (`workspace.setup` runs again where this host has none for the same key) and a worktree. The base is the
 * commit that the snapshot was made on.
 */
export async function restoreWorkspace(
  host: Host,
  id: WorkspaceId,
  spec: WorkspaceSpec,
  snapshot: string,
  bundles: readonly KeptBundle[],
  signal: AbortSignal,
): Promise<WorkspaceRecord> {
  const at = attemptFolder(host.paths, id);
  const found = await findRecord(at);
  const { gitDir: mirror } =
    found && isWhole(found) ? { gitDir: found.mirror } : await mirrorOf(host, id, spec, signal);
  await readBundles(host.git, mirror, bundles, bundleFile(host), signal);
  if (!(await hasCommit(host.git, mirror, snapshot, signal))) throw missing(id, snapshot);
  const isBase = bundles.length === 0;
  const base = isBase ? snapshot : (await host.git.ok({ gitDir: mirror }, ['rev-parse', `${snapshot}^`])).trim();
  const record = await prepareWorkspace(host, id, spec, signal, () => {}, base);
  if (!isBase) await host.git.ok({ gitDir: record.mirror }, ['update-ref', at.ref, snapshot]);
  return record;
}

const missing = ({ attempt }: WorkspaceId, snapshot: string) =>
  workspaceError(
    'SNAPSHOT_MISSING',
    `Neither the source of ${attempt} nor the object store has its snapshot ${snapshot}.`,
    'Bring back the host that had its worktree, or the commits of the source; then resume the attempt, or start a new one.',
  );
