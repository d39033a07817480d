import { mkdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { WorkspaceId } from '../activities/ports';
import type { WorkspaceSpec } from '../domain/contract/contract';
import { type HeldLock, takeLock } from './file-lock';
import type { Git } from './git/git';
import { localPath, type Mirror, refreshMirror, resolveCommit } from './git/mirror';
import type { Host } from './host';
import { commitFiles } from './layer/commit-files';
import { buildLayer, type DependencyLayer, findLayer } from './layer/dependency-layer';
import { runSetup } from './layer/run-setup';
import { setupPlan } from './layer/setup-plan';
import { copyBuilt } from './layer/use-layer';
import { type AttemptFolder, attemptFolder, findRecord, gitPlace, type WorkspaceRecord, writeRecord } from './record';
import { removeTree } from './remove-tree';
import { workspaceError } from './workspace-errors';

/** Another process clones or sets up the same repository, which can take as long as it takes here, ms. */
const preparingWaitMs = 1_800_000;

/** Makes the worktree and its dependency layer, or finds them: a workspace that was prepared keeps its base commit. */
export async function prepareWorkspace(
  host: Host,
  id: WorkspaceId,
  spec: WorkspaceSpec,
  signal: AbortSignal,
  onProgress: (line: string) => void,
): Promise<WorkspaceRecord> {
  const at = attemptFolder(host.paths, id);
  const found = await findRecord(at);
  if (found) return found;

  const source = localPath(spec.git) === undefined ? spec.git : resolve(localPath(spec.git) ?? spec.git);
  const folder = host.paths.repository(id.tenant, source);
  onProgress(`reading ${source}`);
  const { mirror, base } = await locked(folder, signal, async () => {
    const mirror = await refreshMirror(host.git, folder, source, signal);
    return { mirror, base: await resolveCommit(host.git, mirror, spec.ref, signal) };
  });

  const begun = performance.now();
  const layer = await prepareLayer(host, id, spec, { mirror, base }, signal, onProgress);
  const setupMs = Math.round(performance.now() - begun);

  await locked(folder, signal, () => addWorktree(host.git, at, mirror.gitDir, base));
  if (layer) await copyBuilt(layer.layer, layer.folder, at.tree);
  const record: WorkspaceRecord = {
    v: 1,
    source,
    mirror: mirror.gitDir,
    gitDir: await worktreeGitDir(at),
    base: {
      commit: base,
      tree: (await host.git.ok({ gitDir: mirror.gitDir }, ['rev-parse', `${base}^{tree}`])).trim(),
    },
    submodules: await submodules(host.git, mirror.gitDir, base),
    ...(layer ? { layer: layer.folder } : {}),
    setupMs,
  };
  await startIndex(host.git, at, record);
  await writeRecord(at, record);
  return record;
}

/** Takes the attempt's worktree away and makes it anew at its base; for one that cannot be reset. */
export async function rebuildWorktree(git: Git, at: AttemptFolder, record: WorkspaceRecord): Promise<WorkspaceRecord> {
  await addWorktree(git, at, record.mirror, record.base.commit);
  const rebuilt = { ...record, gitDir: await worktreeGitDir(at) };
  await startIndex(git, at, rebuilt);
  await writeRecord(at, rebuilt);
  return rebuilt;
}

async function prepareLayer(
  host: Host,
  id: WorkspaceId,
  spec: WorkspaceSpec,
  { mirror, base }: { mirror: Mirror; base: string },
  signal: AbortSignal,
  onProgress: (line: string) => void,
): Promise<{ folder: string; layer: DependencyLayer } | undefined> {
  const plan = await setupPlan(spec.setup, base, mirror.source, commitFiles(host.git, mirror.gitDir, base));
  if (!plan) return undefined;
  const folder = host.paths.layer(id.tenant, plan.key);
  const ready = await findLayer(folder);
  if (ready) return { folder, layer: ready };

  const sandbox = await host.sandbox();
  const fill = (tree: string) => (value: string) => value.replaceAll('{layer}', folder).replaceAll('{root}', tree);
  const layer = await locked(folder, signal, async () => {
    const byAnother = await findLayer(folder);
    if (byAnother) return byAnother;
    return buildLayer(host.git, folder, { gitDir: mirror.gitDir, base }, plan.env, (tree, home) => {
      const env = Object.fromEntries(Object.entries(plan.env).map(([name, value]) => [name, fill(tree)(value)]));
      return runSetup({ lines: plan.lines, env, ownEnv: host.env, folder, tree, home, sandbox, signal, onProgress });
    });
  });
  return { folder, layer };
}

async function addWorktree(git: Git, at: AttemptFolder, gitDir: string, base: string): Promise<void> {
  await mkdir(at.folder, { recursive: true });
  await removeTree(at.tree);
  await git.ok({ gitDir }, ['worktree', 'prune', '--expire=now']);
  await git.ok({ gitDir }, ['worktree', 'add', '--quiet', '--detach', at.tree, base]);
}

/** git writes the worktree's own folder into the `.git` file of a fresh one; later that file is not believed. */
async function worktreeGitDir(at: AttemptFolder): Promise<string> {
  return (await readFile(join(at.tree, '.git'), 'utf8')).replace(/^gitdir: /, '').trim();
}

async function startIndex(git: Git, at: AttemptFolder, record: WorkspaceRecord): Promise<void> {
  await rm(at.index, { force: true });
  await git.ok(gitPlace(at, record), ['read-tree', record.base.commit]);
  await git.ok(gitPlace(at, record), ['update-index', '-q', '--refresh']);
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
