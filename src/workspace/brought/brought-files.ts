import { statSync } from 'node:fs';
import type { BroughtFiles } from '../../domain/contract/contract';
import type { Host } from '../host';
import { workspaceError } from '../workspace-errors';
import { type BroughtFile, filesHash, readFiles } from './read-files';

/** The files that a contract means. Throws WorkspaceError where this host has none of that name, or others. */
export async function broughtFiles(
  { files }: Pick<Host, 'files'>,
  { name, hash }: BroughtFiles,
): Promise<readonly BroughtFile[]> {
  const folder = Object.hasOwn(files, name) ? files[name] : undefined;
  if (folder === undefined || !isFolder(folder)) {
    throw workspaceError(
      'FILES_MISSING',
      `This host has no files "${name}" for checks.`,
      `Name their folder as sealed.${name}.path in the configuration of the worker.`,
    );
  }
  const found = await readFiles(folder);
  if (filesHash(found) === hash) return found;
  throw workspaceError(
    'FILES_CHANGED',
    `The files "${name}" are not those that the contract was made with.`,
    'Put them back, or start the task again.',
  );
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
