import type { ActivityDeps } from './deps';
import type { AttemptRow, BundleRow } from './ledger-port';
import { type KeptBundle, WorkspaceError } from './ports';

/**
 * Snapshots in the object store, so that any host can make a workspace that the ledger names (R9.1).
 *
 *   I1  A snapshot is kept before the answer that names it is recorded, and its row lands with that answer.
 *   I2  Only where workers have data folders of their own: one host has what it needs.
 */
export type BundleDeps = Pick<ActivityDeps, 'ledger' | 'artifacts' | 'workspaces' | 'host'>;

/** Bundles that are read one after another to make one snapshot: each costs a git command, and a longer chain saves less and less. */
const bundleChainMax = 32;

/** Undefined where there is nothing new to keep. */
export async function keepSnapshot(
  { ledger, artifacts, workspaces, host }: BundleDeps,
  { ref, snapshot: last, baseCommit }: Pick<AttemptRow, 'ref' | 'snapshot' | 'baseCommit'>,
  snapshot: string,
  signal: AbortSignal,
): Promise<BundleRow | undefined> {
  if (host === undefined || snapshot === last || snapshot === baseCommit) return undefined;
  const chain = last === null ? [] : await ledger.bundles(ref.tenant, last);
  const thinOn = last !== null && chain.length > 0 && chain.length < bundleChainMax ? last : null;
  const id = { tenant: ref.tenant, attempt: ref.id };
  const body = await workspaces.bundle(id, snapshot, thinOn ?? undefined, signal);
  return { snapshot, thinOn, hash: await artifacts.put(ref.tenant, body), bytes: body.byteLength };
}

/** The attempt's workspace is here, at this snapshot; made from its bundles where it was not. */
export async function bringHere(
  deps: BundleDeps,
  { ref, snapshot }: Pick<AttemptRow, 'ref' | 'snapshot'>,
  signal: AbortSignal,
): Promise<void> {
  if (deps.host === undefined || snapshot === null) return;
  const id = { tenant: ref.tenant, attempt: ref.id };
  if (await deps.workspaces.holds(id, snapshot, signal)) return;
  const { workspace } = await deps.ledger.contract(ref);
  if (!workspace) return;
  await deps.workspaces.restore(id, workspace, snapshot, await keptBundles(deps, ref.tenant, snapshot), signal);
}

/** A workspace that is here can be compared with these snapshots, wherever they were made. */
export async function bringSnapshots(
  deps: BundleDeps,
  { ref }: Pick<AttemptRow, 'ref'>,
  snapshots: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  if (deps.host === undefined) return;
  const id = { tenant: ref.tenant, attempt: ref.id };
  for (const snapshot of snapshots) {
    if (await deps.workspaces.holds(id, snapshot, signal)) continue;
    await deps.workspaces.fetch(id, await keptBundles(deps, ref.tenant, snapshot), signal);
  }
}

export async function keptBundles(deps: BundleDeps, tenant: string, snapshot: string): Promise<readonly KeptBundle[]> {
  const rows = await deps.ledger.bundles(tenant, snapshot);
  return rows.map((row) => ({ snapshot: row.snapshot, read: () => readBundle(deps, tenant, row) }));
}

async function readBundle({ artifacts }: BundleDeps, tenant: string, { hash, snapshot }: BundleRow): Promise<Buffer> {
  const body = await artifacts.get(tenant, hash);
  if (body) return body;
  throw new WorkspaceError(
    { class: 'unrecoverable', code: 'SNAPSHOT_MISSING' },
    `The object store has no artifact ${hash}, which the snapshot ${snapshot} is made from.`,
    'Check that all workers have the same HOLDFAST_OBJECT_STORE, or restore the object store; then resume the attempt.',
  );
}
