import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Git, GitPlace } from '../git/git';
import { escapePattern } from '../git/reset';
import { readJsonFile, writeJsonFile } from '../json-file';
import { removeTree } from '../remove-tree';
import { workspaceError } from '../workspace-errors';
import { dependencyFolders, scratchFolders } from './dependency-folders';

/**
 * The dependencies that `setup` added to a checkout of the base commit, made once per key and then shared by worktrees
 * and clean copies.
 *
 *   I1  A layer is whole once its `layer.json` is there; anything less is thrown away and made again.
 *   I2  It lies where it was made, for virtual environments hold their own path.
 *   I3  It holds nothing that setup made from the base's sources, nor the sources: a check that ran on these would say
 *       nothing of its candidate. A link or a path that leads to them leads nowhere.
 */
export interface DependencyLayer {
  readonly entries: readonly LayerEntry[];
  readonly env: Readonly<Record<string, string>>;
  /** Makes the rest, from a checkout's own sources. */
  readonly build: BuildPart;
}
export interface LayerEntry {
  /** From the root of the checkout. */
  readonly path: string;
  readonly type: 'folder' | 'file';
}
export interface BuildPart {
  /** Lines of the operator that make something and leave the dependencies alone. */
  readonly lines: readonly string[];
  /** Folders of the repository's own packages whose install scripts run. */
  readonly packages: readonly string[];
  /** Such scripts write into the dependencies too, so each checkout has them as a copy of its own. */
  readonly changesDependencies: boolean;
}

export const layerTree = (folder: string) => join(folder, 'tree');
/** For git: what setup makes is part of no snapshot and no status, whatever the repository ignores. */
export const excludeFile = (folder: string) => join(folder, 'exclude');

export const layerFile = (folder: string) => join(folder, 'layer.json');
export const findLayer = (folder: string) => readJsonFile<DependencyLayer>(layerFile(folder));

export async function readLayer(folder: string): Promise<DependencyLayer> {
  const layer = await findLayer(folder);
  if (layer) return layer;
  throw workspaceError(
    'WORKSPACE_MISSING',
    `The dependency layer ${folder} is gone.`,
    'Start a new attempt, which sets it up again.',
  );
}

/** The checkout in which a layer is made. */
export interface LayerCheckout {
  readonly tree: string;
  readonly home: string;
  /** Puts everything back as it was committed, but for the dependencies that were added. */
  readonly restore: () => Promise<void>;
}

/** `run` executes the setup in the tree. The caller holds the layer's lock. */
export async function buildLayer(
  git: Git,
  folder: string,
  source: { readonly gitDir: string; readonly base: string },
  env: Readonly<Record<string, string>>,
  run: (checkout: LayerCheckout) => Promise<BuildPart>,
): Promise<DependencyLayer> {
  const tree = layerTree(folder);
  const home = join(folder, 'home');
  const place = { gitDir: source.gitDir, workTree: tree, indexFile: join(folder, 'index') };
  for (const left of [tree, home]) await removeTree(left); // I1
  for (const made of [tree, home]) await mkdir(made, { recursive: true });
  await git.ok(place, ['read-tree', source.base]);
  const checkOut = () => git.ok(place, ['checkout-index', '--all', '--force']);
  await checkOut();

  let added: readonly LayerEntry[] = [];
  const note = async () => {
    added = [...added, ...(await untracked(git, place)).filter(({ path }) => !added.some((old) => old.path === path))];
  };
  const restore = async () => {
    await note();
    await keepOnly(tree, added.filter(isDependency));
    await checkOut();
  };
  const build = await run({ tree, home, restore });
  await note();

  const layer: DependencyLayer = { entries: added.filter(isDependency), env, build };
  await keepOnly(tree, layer.entries); // I3
  await makeScratchFolders(tree, layer.entries);
  await writeFile(excludeFile(folder), added.map(({ path }) => `/${escapePattern(path)}\n`).join(''));
  await rm(place.indexFile, { force: true });
  await removeTree(home);
  await writeJsonFile(layerFile(folder), layer, { durable: true });
  return layer;
}

const isDependency = ({ path }: LayerEntry) => dependencyFolders.has(basename(path));

async function untracked(git: Git, place: GitPlace): Promise<readonly LayerEntry[]> {
  const listed = await git.ok(place, ['ls-files', '--others', '--directory', '--no-empty-directory', '-z']);
  const paths = listed.split('\0').filter(Boolean);
  return paths.map((path) => {
    const bare = path.replace(/\/$/, '');
    return { path: bare, type: bare === path ? 'file' : 'folder' };
  });
}

async function keepOnly(tree: string, entries: readonly LayerEntry[], under = ''): Promise<void> {
  for (const name of await readdir(join(tree, under))) {
    const path = join(under, name);
    if (entries.some((entry) => entry.path === path)) continue;
    if (entries.some((entry) => entry.path.startsWith(`${path}/`))) await keepOnly(tree, entries, path);
    else await removeTree(join(tree, path));
  }
}

async function makeScratchFolders(tree: string, entries: readonly LayerEntry[]): Promise<void> {
  const packages = entries.filter((entry) => basename(entry.path) === 'node_modules');
  for (const { path } of packages)
    for (const name of scratchFolders) await mkdir(join(tree, path, name), { recursive: true });
}
