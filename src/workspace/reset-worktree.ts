import { lstat, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { resetTo } from './git/reset';
import type { Snapshot } from './git/snapshot';
import type { Host } from './host';
import { readLayer } from './layer/dependency-layer';
import { hasOwnCopy } from './layer/use-layer';
import type { WorkspaceRecord } from './record';
import { gitPlace, type Worktree } from './worktree';

/**
 * E10: the worktree as it was at the snapshot; what is built from it, and dependencies that are its own copy, are made
 * again by the next command. Undefined where a command made files that cannot be removed one by one.
 */
export async function resetWorktree(
  { git, sandbox }: Host,
  worktree: Worktree,
  record: WorkspaceRecord,
  snapshot: string,
): Promise<Snapshot | undefined> {
  const layer = record.layer === undefined ? undefined : await readLayer(record.layer);
  const mountPoints = layer && !hasOwnCopy(layer, (await sandbox()).kind) ? layer.entries : [];
  await rm(worktree.built, { force: true });
  return resetTo(
    git,
    gitPlace(worktree, record),
    snapshot,
    mountPoints.map((entry) => entry.path),
  );
}

/** For the commands' own use of git: this runtime's git is always told its place. */
export async function restoreGitFile({ tree, gitDir }: Worktree): Promise<void> {
  const path = join(tree, '.git');
  const wanted = `gitdir: ${gitDir}\n`;
  const isFile = (await lstat(path).catch(() => undefined))?.isFile() ?? false;
  if (isFile && (await readFile(path, 'utf8')) === wanted) return;
  await rm(path, { recursive: true, force: true });
  await writeFile(path, wanted);
}
