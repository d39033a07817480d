import { lstat, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from './git/git';
import { resetTo } from './git/reset';
import type { Snapshot } from './git/snapshot';
import { readLayer } from './layer/dependency-layer';
import { copyBuilt } from './layer/use-layer';
import type { WorkspaceRecord } from './record';
import { gitPlace, type Worktree } from './worktree';

/** E10: the worktree as it was at the snapshot. Undefined where a command made files that cannot be removed one by one. */
export async function resetWorktree(
  git: Git,
  worktree: Worktree,
  record: WorkspaceRecord,
  snapshot: string,
): Promise<Snapshot | undefined> {
  const layer = record.layer === undefined ? undefined : await readLayer(record.layer);
  const links = layer?.entries.filter((entry) => entry.how === 'link').map((entry) => entry.path) ?? [];
  const clean = await resetTo(git, gitPlace(worktree, record), snapshot, links);
  if (clean && layer && record.layer !== undefined) await copyBuilt(layer, record.layer, worktree.tree);
  return clean;
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
