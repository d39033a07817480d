import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { WorkspaceId } from '../activities/ports';
import type { WorkspaceSpec } from '../domain/contract/contract';
import { withoutCredentials } from '../domain/contract/without-credentials';
import type { Git } from './git/git';
import { localPath, type Mirror, refreshMirror, resolveCommit } from './git/mirror';
import type { Host } from './host';
import { layerFile } from './layer/dependency-layer';
import { makeWorktree } from './make-worktree';
import { prepareLayer } from './prepare-layer';
import { locked } from './preparing-lock';
import { attemptFolder, findRecord, readRecord, type WorkspaceRecord, writeRecord } from './record';
import { refuseSource } from './refuse-source';
import { workspaceError } from './workspace-errors';
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
  /** The commit to begin at, where that is known; what `spec.ref` names now where left out. */
  base?: string,
): Promise<WorkspaceRecord> {
  const at = attemptFolder(host.paths, id);
  const found = await findRecord(at);
  const record =
    found && isWhole(found) ? found : await makeRecord(host, id, spec, found?.base.commit ?? base, signal, onProgress);
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

export const isWhole = ({ mirror, layer }: WorkspaceRecord) =>
  existsSync(mirror) && (layer === undefined || existsSync(layerFile(layer)));

async function makeRecord(
  host: Host,
  id: WorkspaceId,
  spec: WorkspaceSpec,
  at: string | undefined,
  signal: AbortSignal,
  onProgress: (line: string) => void,
): Promise<WorkspaceRecord> {
  const source = sourceOf(spec);
  onProgress(`reading ${source}`);
  const mirror = await mirrorOf(host, id, spec, signal);
  const base = await resolveCommit(host.git, mirror, at ?? spec.ref, signal);
  const submodules = await submodulesOf(host.git, mirror.gitDir, base);
  if (submodules.length > 0) throw hasSubmodules(source, submodules);
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
    submodules,
    ...(layer === undefined ? {} : { layer }),
    setupMs: Math.round(performance.now() - begun),
  };
}

/** The present copy of the source. */
export function mirrorOf(host: Host, id: WorkspaceId, spec: WorkspaceSpec, signal: AbortSignal): Promise<Mirror> {
  const source = sourceOf(spec);
  const folder = host.paths.repository(id.tenant, source);
  refuseSource(host, source);
  return locked(folder, signal, () => refreshMirror(host.git, folder, source, signal));
}

/** R10.4: a mirror keeps its source's address, where commands can read it; git gets its credentials from the operator. */
function sourceOf({ git }: WorkspaceSpec): string {
  const local = localPath(git);
  return local === undefined ? withoutCredentials(git) : resolve(local);
}

/** Their files would be missing from every command and every snapshot, and nobody would see why. */
const hasSubmodules = (source: string, paths: readonly string[]) =>
  workspaceError(
    'HAS_SUBMODULES',
    `The repository ${source} has submodules (${paths.slice(0, submodulesShown).join(', ')}), and a workspace cannot hold them.`,
    'Put their files into the repository itself (git subtree), or make each a package that workspace.setup installs; or name a workspace.ref without them.',
  );
const submodulesShown = 5;

async function submodulesOf(git: Git, gitDir: string, base: string): Promise<readonly string[]> {
  const listed = await git.ok({ gitDir }, ['ls-tree', '-r', '-z', base]);
  return listed.split('\0').flatMap((line) => /^160000 commit \S+\t(.+)$/s.exec(line)?.[1] ?? []);
}
