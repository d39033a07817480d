import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { errnoOf } from '../domain/failure/errno-of';
import { ToolError } from './tool-errors';

/**
 * Paths of tools. No path leaves the workspace:
 *
 *   I1  A path is relative, without `..`, and never touches `.git`, in any spelling that a file system takes for it.
 *   I2  Links are followed only to places inside; the real path is what is opened, and its last part is never followed again.
 *   I3  What was opened is asked where it is, so a folder that was swapped in between does not lead out.
 */
export async function insideWorkspace(root: string, path: string): Promise<string> {
  const wanted = lexical(root, path);
  const realRoot = await realpath(root);
  const real = await realOfExisting(wanted, path);
  if (real !== realRoot && !real.startsWith(realRoot + sep)) throw outside(path);
  refuseGit(relative(realRoot, real), path); // a link may lead into .git
  return real;
}

/** Opens a regular file for reading. */
export async function openInside(root: string, path: string): Promise<FileHandle> {
  const real = await insideWorkspace(root, path);
  // O_NONBLOCK: the open of a pipe without a writer would wait for ever
  const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: unknown) => {
      throw errnoOf(error) === 'ENOENT' ? notFound(path) : error;
    },
  );
  try {
    const facts = await file.stat();
    if (facts.isDirectory())
      throw new ToolError(
        { class: 'tool_business', code: 'IS_A_DIRECTORY' },
        `${path} is a folder.`,
        'List it with list_files.',
      );
    if (!facts.isFile())
      throw new ToolError(
        { class: 'tool_business', code: 'NOT_A_FILE' },
        `${path} is no regular file.`,
        'Choose another file.',
      );
    await refuseMoved(file, await realpath(root), path); // I3
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Makes the folders above the path and returns where the file is to be written. */
export async function makeParent(root: string, path: string): Promise<string> {
  const real = await insideWorkspace(root, path);
  await mkdir(dirname(real), { recursive: true });
  const parent = await realpath(dirname(real));
  const realRoot = await realpath(root);
  if (parent !== realRoot && !parent.startsWith(realRoot + sep)) throw outside(path);
  return join(parent, basename(real));
}

export function notFound(path: string): ToolError {
  const inDependencies = /(^|\/)(node_modules|\.venv|venv|vendor)(\/|$)/.test(path);
  return new ToolError(
    { class: 'tool_business', code: 'FILE_NOT_FOUND' },
    `There is no ${path}.`,
    inDependencies
      ? 'Dependencies are visible to run_command only: read them with cat.'
      : 'Look for it with list_files.',
  );
}

function lexical(root: string, path: string): string {
  if (path.includes('\0'))
    throw new ToolError({ class: 'tool_argument', code: 'BAD_PATH' }, 'A path holds no NUL.', 'Correct the path.');
  const wanted = resolve(root, path);
  const inside = relative(root, wanted);
  if (path.startsWith('/') || path.split(/[/\\]/).includes('..') || inside.startsWith('..')) throw outside(path); // I1
  refuseGit(inside, path);
  return wanted;
}

/** The real path, where the last parts need not exist. A link to nothing has no real path, and could come to lead anywhere. */
async function realOfExisting(wanted: string, path: string): Promise<string> {
  const missing: string[] = [];
  for (let at = wanted; ; at = dirname(at)) {
    try {
      return join(await realpath(at), ...missing);
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === 'ENOTDIR')
        throw new ToolError(
          { class: 'tool_business', code: 'NOT_A_DIRECTORY' },
          `A part of ${path} is a file.`,
          'Look at it with list_files.',
        );
      if (errno === 'ELOOP' || (await isLink(at))) throw outside(path);
      if (errno !== 'ENOENT') throw error;
      missing.unshift(basename(at));
    }
  }
}

async function refuseMoved(file: FileHandle, realRoot: string, path: string): Promise<void> {
  const now = await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined); // undefined where there is no /proc
  if (now !== undefined && !now.startsWith(realRoot + sep)) throw outside(path);
}

const isLink = async (path: string) => (await lstat(path).catch(() => undefined))?.isSymbolicLink() ?? false;

/** Case and trailing dots or blanks are nothing to some file systems. */
function refuseGit(inside: string, path: string): void {
  if (!inside.split(sep).some((part) => /^(\.git|git~1)[. ]*$/i.test(part.normalize('NFKC').replace(/\p{Cf}/gu, ''))))
    return;
  throw new ToolError(
    { class: 'policy_denied', code: 'PATH_FORBIDDEN' },
    `${path} belongs to git, which tools do not touch.`,
    'Work with the files; snapshots are made for you.',
  );
}

function outside(path: string): ToolError {
  return new ToolError(
    { class: 'policy_denied', code: 'PATH_OUTSIDE_WORKSPACE' },
    `${path} is not inside the workspace.`,
    'Give a path relative to the workspace, without .. and without links that lead out.',
  );
}
