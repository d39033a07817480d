import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';

/**
 * Folders that the programs on a PATH need beside themselves, for a sandbox that hides everything else.
 *
 *   I1  A home folder itself is never shown, nor what holds it, nor a folder of it that programs share with credentials:
 *       a PATH that names it has no programs from there.
 */
export function toolchainPaths(path: string, home = homedir()): readonly string[] {
  const shown = new Set<string>();
  for (const folder of path.split(':').filter((entry) => entry.startsWith('/'))) {
    for (const place of new Set([folder, realOrSelf(folder)])) for (const root of rootsOf(place, home)) shown.add(root);
  }
  const homes = [home, realOrSelf(home)];
  const holdsHome = (place: string) => homes.some((at) => isAtOrAbove(place, at) || isAtOrAbove(realOrSelf(place), at));
  return [...shown].filter((place) => existsSync(place) && !holdsHome(place)); // I1
}

/** Version managers whose programs are small starters of what lies elsewhere in the home folder. */
const managers: Readonly<Record<string, readonly string[]>> = {
  '.cargo': ['.cargo/bin', '.rustup'],
  '.pyenv': ['.pyenv'],
  '.rbenv': ['.rbenv'],
  '.nvm': ['.nvm/versions'],
  '.fnm': ['.fnm'],
  '.volta': ['.volta'],
  '.asdf': ['.asdf'],
  '.bun': ['.bun/bin', '.bun/install/global'],
  '.deno': ['.deno/bin'],
  '.sdkman': ['.sdkman/candidates'],
};
/** Where mise, fnm, uv and pipx keep what the starters in ~/.local/bin run. */
const sharedTools = ['mise/installs', 'mise/shims', 'fnm', 'uv/python', 'uv/tools', 'pipx/venvs', 'pnpm'];

function rootsOf(folder: string, home: string): readonly string[] {
  const inHome = relative(home, folder);
  const isInHome = inHome !== '' && !inHome.startsWith('..');
  if (!isInHome)
    return isToolFolder(folder) && depth(folder) > 2 && !home.startsWith(`${dirname(folder)}${sep}`)
      ? [dirname(folder)]
      : [folder];

  const [first = ''] = inHome.split(sep);
  const known = managers[first];
  if (known) return known.map((part) => join(home, part));
  if (first === '.local') return [folder, ...sharedTools.map((part) => join(home, '.local/share', part))];
  // I1: the folder beside `bin` is shown only where it lies deep enough to be one tool's own.
  return isToolFolder(folder) && depth(inHome) > 2 ? [dirname(folder)] : [folder];
}

const isAtOrAbove = (folder: string, place: string) => !relative(folder, place).startsWith('..');
const isToolFolder = (folder: string) => basename(folder) === 'bin';
const depth = (path: string) => path.split(sep).filter(Boolean).length;

function realOrSelf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
