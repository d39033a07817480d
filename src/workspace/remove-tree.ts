import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '../domain/failure/errno-of';

/** Removes a folder whatever modes a command gave to what is in it. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch (error) {
    if (errnoOf(error) !== 'EACCES' && errnoOf(error) !== 'EPERM') throw error;
    await makeRemovable(path);
    await rm(path, { recursive: true, force: true });
  }
}

async function makeRemovable(path: string): Promise<void> {
  if (!(await lstat(path)).isDirectory()) return; // a link is removed by the right to its folder
  await chmod(path, 0o700);
  for (const entry of await readdir(path)) await makeRemovable(join(path, entry));
}
