import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { WorkspaceId } from '../activities/ports';
import type { WorkspaceSpec } from '../domain/contract/contract';
import { withoutCredentials } from '../domain/contract/without-credentials';
import { type HeldLock, takeLock } from './file-lock';
import type { Git } from './git/git';
import { localPath, type Mirror, refreshMirror, resolveCommit } from './git/mirror';
import type { Host } from './host';
import { commitFiles } from './layer/commit-files';
import { buildLayer, findLayer, layerFile } from './layer/dependency-layer';
import { runSetup } from './layer/run-setup';
import { setupPlan } from './layer/setup-plan';
import { makeWorktree } from './make-worktree';
import { attemptFolder, findRecord, readRecord, type WorkspaceRecord, writeRecord } from './record';
import { workspaceError } from './workspace-errors';
import { newestWorktree } from './worktree';

/** Another process clones or sets up the same repository, which can take as long as it takes here, ms. */
const preparingWaitMs = 1_800_000;

/**
 * Makes the worktree and its dependency layer, or what is missing of them: a workspace that was prepared keeps its base
 * commit, also where parts of it were removed.
 */
export async function prepareWorkspace(
  host: Host,
  id: WorkspaceId,
  spec: WorkspaceSpec,
  signal: AbortSignal,
  onProgress: (line: string) => void,
): Promise<WorkspaceRecord> {
  const at = attemptFolder(host.paths, id);
  const found = await findRecord(at);
  const record =
    found && isWhole(found)
      ? found
      : await makeRecord(host, id, { ...spec, ref: found?.base.commit ?? spec.ref }, signal, onProgress);
  if (record !== found) await writeRecord(at, record);
  if (newestWorktree(at)) return record;
  const { lock } = await makeWorktree(host.git, at, record, signal);
  lock.release(lock.clean);
  return record;
}

/** The record of a workspace that was prepared, with what was removed of its mirror and layer made again. */
export async function findWorkspace(host: Host, id: WorkspaceId, signal: AbortSignal): Promise<WorkspaceRecord> {
  const record = await readRecord(attemptFolder(host.paths, id));
  return isWhole(record) ? record : await prepareWorkspace(host, id, record.spec, signal, () => {});
}

const isWhole = ({ mirror, layer }: WorkspaceRecord) =>
  existsSync(mirror) && (layer === undefined || existsSync(layerFile(layer)));

async function makeRecord(
  host: Host,
  id: WorkspaceId,
  spec: WorkspaceSpec,
  signal: AbortSignal,
  onProgress: (line: string) => void,
): Promise<WorkspaceRecord> {
  // R10.4: a mirror keeps its source's address, where commands can read it; git gets its credentials from the operator.
  const local = localPath(spec.git);
  const source = local === undefined ? withoutCredentials(spec.git) : resolve(local);
  const folder = host.paths.repository(id.tenant, source);
  onProgress(`reading ${source}`);
  const { mirror, base } = await locked(folder, signal, async () => {
    const mirror = await refreshMirror(host.git, folder, source, signal);
    return { mirror, base: await resolveCommit(host.git, mirror, spec.ref, signal) };
  });
  const begun = performance.now();
  const layer = await prepareLayer(host, id, spec, { mirror, base }, signal, onProgress);
  return {
    v: 1,
    spec: { ...spec, git: source },
    source,
    mirror: mirror.gitDir,
    base: {
      commit: base,
      tree: (await host.git.ok({ gitDir: mirror.gitDir }, ['rev-parse', `${base}^{tree}`])).trim(),
    },
    submodules: await submodules(host.git, mirror.gitDir, base),
    ...(layer === undefined ? {} : { layer }),
    setupMs: Math.round(performance.now() - begun),
  };
}

/** The layer's folder; undefined where the repository needs none. */
async function prepareLayer(
  host: Host,
  id: WorkspaceId,
  spec: WorkspaceSpec,
  { mirror, base }: { mirror: Mirror; base: string },
  signal: AbortSignal,
  onProgress: (line: string) => void,
): Promise<string | undefined> {
  const plan = await setupPlan(spec.setup, base, mirror.source, commitFiles(host.git, mirror.gitDir, base));
  if (!plan) return undefined;
  const folder = host.paths.layer(id.tenant, plan.key);
  if (await findLayer(folder)) return folder;

  const sandbox = await host.sandbox();
  const fill = (tree: string) => (value: string) => value.replaceAll('{layer}', folder).replaceAll('{root}', tree);
  await locked(folder, signal, async () => {
    if (await findLayer(folder)) return; // another made it meanwhile
    await buildLayer(host.git, folder, { gitDir: mirror.gitDir, base }, plan.env, (tree, home) => {
      const env = Object.fromEntries(Object.entries(plan.env).map(([name, value]) => [name, fill(tree)(value)]));
      return runSetup({ lines: plan.lines, env, ownEnv: host.env, folder, tree, home, sandbox, signal, onProgress });
    });
  });
  return folder;
}

async function submodules(git: Git, gitDir: string, base: string): Promise<readonly string[]> {
  const listed = await git.ok({ gitDir }, ['ls-tree', '-r', '-z', base]);
  return listed.split('\0').flatMap((line) => /^160000 commit \S+\t(.+)$/s.exec(line)?.[1] ?? []);
}

async function locked<T>(folder: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const lock: HeldLock<null> | undefined = await takeLock({
    folder,
    waitMs: preparingWaitMs,
    signal,
    pass: () => null,
  });
  if (!lock)
    throw workspaceError(
      'WORKSPACE_BUSY',
      'Another process has been preparing this repository for very long.',
      'Try again, or end that process.',
    );
  try {
    return await work();
  } finally {
    lock.release(null);
  }
}
