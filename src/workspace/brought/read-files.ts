import { createHash } from 'node:crypto';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalHash } from '../../domain/canonical';
import { workspaceError } from '../workspace-errors';

/** A file that a check brings along. */
export interface BroughtFile {
  /** Relative to the folder, and to the copy that it is laid over; `/` between its parts. */
  readonly path: string;
  readonly executable: boolean;
  readonly content: Buffer;
}

/** A test suite with its fixtures; what is larger belongs in a layer that the workspace's setup makes. */
const filesMax = 5_000;
/** They are held in memory, so that what is hashed is what is laid, bytes. */
const filesBytesMax = 64 * 1024 * 1024;

/** All files below the folder, by path. Throws WorkspaceError `FILES_UNFIT` where there is what cannot be laid over a copy. */
export async function readFiles(folder: string): Promise<readonly BroughtFile[]> {
  const files: BroughtFile[] = [];
  let bytes = 0;
  const pending = [''];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const name of await readdir(join(folder, at))) {
      const path = at === '' ? name : `${at}/${name}`;
      const kind = await lstat(join(folder, path));
      if (name.toLowerCase() === '.git') throw unfit('it holds a .git, which would be taken for the one of the copy');
      if (kind.isDirectory()) pending.push(path);
      else if (!kind.isFile()) throw unfit('it holds a link, or what is neither a file nor a folder');
      else {
        bytes += kind.size;
        if (files.length >= filesMax || bytes > filesBytesMax)
          throw unfit(`it holds more than ${filesMax} files or ${filesBytesMax} bytes`);
        const executable = (kind.mode & 0o100) !== 0;
        files.push({ path, executable, content: await readFile(join(folder, path)) });
      }
    }
  }
  if (files.length === 0) throw unfit('it holds no file');
  return files.sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** What makes two sets of files the same one: 64 hex digits. */
export function filesHash(files: readonly BroughtFile[]): string {
  const entries = files.map(({ path, executable, content }) => ({
    path,
    executable,
    content: createHash('sha256').update(content).digest('hex'),
  }));
  return canonicalHash(entries);
}

/** The folder and its files are not named: whoever reads this may not know them. */
const unfit = (why: string) =>
  workspaceError('FILES_UNFIT', `The folder cannot be laid over a copy: ${why}.`, 'Name a folder of plain files.');
