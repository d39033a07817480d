import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../domain/failure/errno-of';
import { writeJsonFile } from './json-file';
import { excludeFile } from './layer/dependency-layer';
import type { AttemptFolder, WorkspaceRecord } from './record';

/**
 * The checkouts of one attempt: usually one, and another where somebody who no longer counts may still work in it (E10).
 *
 *   I1  The whole one with the highest number is in force; whoever works in another works for nobody.
 *   I2  A number is given by mkdir(2), so to one maker. A checkout is whole once its `worktree.json` is there.
 *   I3  An older one is removed once nobody alive holds its lock.
 */
export interface Worktree {
  readonly number: number;
  /** Holds all the rest of it, and its lock. */
  readonly folder: string;
  readonly tree: string;
  /** The index that snapshots are made with; the worktree's own stays at the base, so `git diff` shows all changes. */
  readonly index: string;
  readonly home: string;
  /** A file that is there once commands find what is built from the sources. */
  readonly built: string;
  /** The worktree's own folder in the mirror. */
  readonly gitDir: string;
}

export const indexIn = (folder: string) => join(folder, 'index');
export const worktreeFolder = ({ folder }: AttemptFolder, number: number) => join(folder, `w${number}`);

/** Undefined where there is none that is whole. */
export function newestWorktree(at: AttemptFolder): Worktree | undefined {
  for (const number of worktreeNumbers(at).reverse()) {
    const worktree = readWorktree(at, number);
    if (worktree) return worktree;
  }
  return undefined;
}

/** I1. Read again by each holder before it starts a process and before it believes its own result. */
export const isNewest = (at: AttemptFolder, { number }: Worktree) => newestWorktree(at)?.number === number;

/** Ascending; the unfinished ones too. */
export function worktreeNumbers({ folder }: AttemptFolder): number[] {
  return namesIn(folder)
    .flatMap((name) => /^w(\d+)$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

export function readWorktree(at: AttemptFolder, number: number): Worktree | undefined {
  const folder = worktreeFolder(at, number);
  const places = placesIn(folder);
  try {
    // Only `finishWorktree` writes it.
    const { gitDir } = JSON.parse(readFileSync(places.json, 'utf8')) as { gitDir: string };
    if (!existsSync(places.tree)) return undefined; // somebody made room by hand
    // git gives the name of a folder that is gone to the next one, so what is there may be another worktree's
    if (readFileSync(join(gitDir, 'gitdir'), 'utf8').trim() !== join(places.tree, '.git')) return undefined;
    const { tree, index, home, built } = places;
    return { number, folder, tree, index, home, built, gitDir };
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

export function unfinishedWorktree(at: AttemptFolder, number: number, gitDir: string): Worktree {
  const folder = worktreeFolder(at, number);
  const { tree, index, home, built } = placesIn(folder);
  return { number, folder, tree, index, home, built, gitDir };
}

/** I2 */
export const finishWorktree = ({ folder, gitDir }: Worktree) =>
  writeJsonFile(placesIn(folder).json, { gitDir }, { durable: true });

/** How git sees it. */
export const gitPlace = ({ gitDir, tree, index }: Worktree, { layer }: WorkspaceRecord) => ({
  gitDir,
  workTree: tree,
  indexFile: index,
  excludesFile: layer === undefined ? '/dev/null' : excludeFile(layer),
});

const placesIn = (folder: string) => ({
  tree: join(folder, 'tree'),
  index: indexIn(folder),
  home: join(folder, 'home'),
  built: join(folder, 'built'),
  json: join(folder, 'worktree.json'),
});

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}
