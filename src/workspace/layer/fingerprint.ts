import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { dependencyFolders, scratchFolders } from './dependency-folders';

/** Of a checkout, in two halves: what lies in dependency folders, and the rest. Equal where nothing was written. */
export interface Fingerprint {
  readonly dependencies: string;
  readonly rest: string;
}

/** By names, sizes and times, for the files were written just now by lines that do not lie about them. */
export async function fingerprint(root: string): Promise<Fingerprint> {
  const dependencies = createHash('sha256');
  const rest = createHash('sha256');
  await walk(root, '', async (path, isDependency) => {
    const { size, mtimeMs, ctimeMs, mode } = await lstat(join(root, path));
    (isDependency ? dependencies : rest).update(`${path}\0${size} ${mtimeMs} ${ctimeMs} ${mode}\0`);
  });
  return { dependencies: dependencies.digest('hex'), rest: rest.digest('hex') };
}

/** Files and links; a folder counts by what is in it, and what tools keep for themselves does not count. */
async function walk(
  root: string,
  under: string,
  visit: (path: string, isDependency: boolean) => Promise<void>,
  isDependency = false,
): Promise<void> {
  const entries = await readdir(join(root, under), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(under, entry.name);
    if (basename(under) === 'node_modules' && scratchFolders.includes(entry.name)) continue;
    const inDependency = isDependency || dependencyFolders.has(entry.name);
    if (entry.isDirectory()) await walk(root, path, visit, inDependency);
    else await visit(path, inDependency);
  }
}
