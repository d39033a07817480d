import { lstat, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from './git/git';
import { resetTo } from './git/reset';
import { readLayer } from './layer/dependency-layer';
import { copyBuilt } from './layer/use-layer';
import { rebuildWorktree } from './prepare';
import { type AttemptFolder, gitPlace, type WorkspaceRecord } from './record';

/** E10: the worktree as it was at the snapshot. Returns the record, which is another one where it had to be made anew. */
export async function resetWorktree(
  git: Git,
  at: AttemptFolder,
  record: WorkspaceRecord,
  snapshot: string,
): Promise<WorkspaceRecord> {
  const layer = record.layer === undefined ? undefined : await readLayer(record.layer);
  const links = layer?.entries.filter((entry) => entry.how === 'link').map((entry) => entry.path) ?? [];
  let current = record;
  if (!(await resetTo(git, gitPlace(at, current), snapshot, links))) {
    current = await rebuildWorktree(git, at, record); // a command made files that cannot be removed one by one
    await resetTo(git, gitPlace(at, current), snapshot, links);
  }
  if (layer && record.layer !== undefined) await copyBuilt(layer, record.layer, at.tree);
  return current;
}

/** For the commands' own use of git: this runtime's git is always told its place. */
export async function restoreGitFile(at: AttemptFolder, { gitDir }: WorkspaceRecord): Promise<void> {
  const path = join(at.tree, '.git');
  const wanted = `gitdir: ${gitDir}\n`;
  const isFile = (await lstat(path).catch(() => undefined))?.isFile() ?? false;
  if (isFile && (await readFile(path, 'utf8')) === wanted) return;
  await rm(path, { recursive: true, force: true });
  await writeFile(path, wanted);
}
