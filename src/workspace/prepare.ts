import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { WorkspaceId } from '../activities/ports';
import type { WorkspaceSpec } from '../domain/contract/contract';
import { withoutCredentials } from '../domain/contract/without-credentials';
import type { Git } from './git/git';
import { localPath, refreshMirror, resolveCommit } from './git/mirror';
import type { Host } from './host';
import { layerFile } from './layer/dependency-layer';
import { makeWorktree } from './make-worktree';
import { prepareLayer } from './prepare-layer';
import { locked } from './preparing-lock';
import { attemptFolder, findRecord, readRecord, type WorkspaceRecord, writeRecord } from './record';
import { refuseSource } from './refuse-source';
import { newestWorktree } from './worktree';

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
  refuseSource(host, source);
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

async function submodules(git: Git, gitDir: string, base: string): Promise<readonly string[]> {
  const listed = await git.ok({ gitDir }, ['ls-tree', '-r', '-z', base]);
  return listed.split('\0').flatMap((line) => /^160000 commit \S+\t(.+)$/s.exec(line)?.[1] ?? []);
}
