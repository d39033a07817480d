import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { errnoOf } from '../../domain/failure/errno-of';

/**
 * All places from which git reads when it fetches from this path: the repository may be kept elsewhere (a `.git` file or
 * link, a worktree's common folder), and its objects elsewhere again (alternates, links). Throws where they cannot be
 * looked at.
 */
export function repositoryPlaces(path: string): readonly string[] {
  const found = new Set([resolve(path)]);
  // git looks at these names, and takes the first that is a repository
  for (const base of [path, `${path}.git`]) {
    if (!exists(base)) continue;
    found.add(base);
    for (const gitDir of gitDirsOf(base)) addGitDir(gitDir, found);
  }
  return [...found];
}

function gitDirsOf(base: string): readonly string[] {
  const candidates = [base, join(base, '.git')].filter(exists);
  return candidates.flatMap((at) => {
    if (!statSync(at, { throwIfNoEntry: false })?.isDirectory()) return pointedAt(at) ?? [];
    return isGitDir(at) ? at : [];
  });
}

const isGitDir = (folder: string) =>
  exists(join(folder, 'HEAD')) && ['objects', 'commondir'].some((name) => exists(join(folder, name)));

/** A file that names the repository; a bundle, which is a repository in one file, names none. */
function pointedAt(file: string): string | undefined {
  const target = /^gitdir: ([^\n\r]+)/.exec(textOf(file))?.[1];
  return target === undefined ? undefined : resolve(dirname(realpathSync(file)), target);
}

function addGitDir(gitDir: string, found: Set<string>): void {
  found.add(gitDir);
  const common = textOf(join(gitDir, 'commondir')).trim();
  const dirs = common === '' ? [gitDir] : [gitDir, resolve(gitDir, common)];
  for (const dir of dirs) {
    found.add(dir);
    for (const link of linksIn(join(dir, 'refs'))) found.add(link);
    for (const name of ['refs', 'packed-refs', 'HEAD']) if (exists(join(dir, name))) found.add(join(dir, name));
    addStore(join(dir, 'objects'), found);
  }
}

function addStore(objects: string, found: Set<string>): void {
  if (!exists(objects) || found.has(objects)) return; // alternates may name one another
  found.add(objects);
  for (const link of linksIn(objects)) found.add(link);
  for (const line of textOf(join(objects, 'info/alternates')).split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    // a quoted path is one with odd characters, which nobody needs here: it counts as everywhere
    if (line.startsWith('"')) found.add('/');
    else addStore(resolve(realpathSync(objects), line), found);
  }
}

/** Symbolic links at any depth. */
function linksIn(folder: string): readonly string[] {
  if (!exists(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) return [path];
    return entry.isDirectory() ? linksIn(path) : [];
  });
}

/** Of a file that is small where it is what it should be; empty where it is none or too large, characters. */
const smallFileMaxChars = 1_000_000;
function textOf(file: string): string {
  const size = statSync(file, { throwIfNoEntry: false });
  return size?.isFile() && size.size <= smallFileMaxChars ? readFileSync(file, 'utf8') : '';
}

/** Whether anything is there, a link that leads nowhere yet included. */
function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (errnoOf(error) === 'ENOTDIR') return false; // a repository in one file
    throw error;
  }
}
