import { lstat, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BroughtFile } from './read-files';

/**
 * Lays files over a checkout, in place of what is there.
 *
 *   I1  Nothing is written through a symbolic link: the candidate may have put one there that leads out, to where the agent reads.
 */
export async function layFiles(root: string, files: readonly BroughtFile[]): Promise<void> {
  for (const { path, executable, content } of files) {
    await makeFolders(root, dirname(path));
    const at = join(root, path);
    await rm(at, { recursive: true, force: true }); // I1: a link itself, and not what it leads to
    await writeFile(at, content, { mode: executable ? 0o755 : 0o644, flag: 'wx' });
  }
}

async function makeFolders(root: string, folder: string): Promise<void> {
  let at = root;
  for (const part of folder === '.' ? [] : folder.split('/')) {
    at = join(at, part);
    const there = await lstat(at).catch(() => undefined);
    if (there?.isDirectory()) continue;
    if (there) await rm(at); // I1
    await mkdir(at);
  }
}
