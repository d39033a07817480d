import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Git } from '../git/git';
import { escapePattern } from '../git/reset';
import { readJsonFile, writeJsonFile } from '../json-file';
import { removeTree } from '../remove-tree';
import { workspaceError } from '../workspace-errors';

/**
 * What `setup` added to a checkout of the base commit, made once per key and then shared, read-only, by worktrees and clean copies.
 *
 *   I1  A layer is whole once its `layer.json` is there; anything less is thrown away and made again.
 *   I2  It lies where it was made, for virtual environments hold their own path.
 */
export interface DependencyLayer {
  readonly entries: readonly LayerEntry[];
  readonly env: Readonly<Record<string, string>>;
}
export interface LayerEntry {
  /** From the root of the checkout. */
  readonly path: string;
  readonly type: 'folder' | 'file';
  /** `link`: dependencies, shown read-only. `copy`: anything else that setup made, such as a build that the agent will repeat. */
  readonly how: 'link' | 'copy';
}

const dependencyFolders = new Set([
  'node_modules',
  '.venv',
  'venv',
  'vendor',
  '.bundle',
  'Pods',
  'deps',
  '.pnpm-store',
  '.yarn',
]);

/** Tools write these below node_modules while they run; as folders of the layer they can be covered by writable ones. */
export const scratchFolders = ['.cache', '.vite', '.vite-temp'];

export const layerTree = (folder: string) => join(folder, 'tree');
/** For git: the layer is part of no snapshot and no status, whatever the repository ignores. */
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

/** `run` executes the setup in the tree. The caller holds the layer's lock. */
export async function buildLayer(
  git: Git,
  folder: string,
  source: { readonly gitDir: string; readonly base: string },
  env: Readonly<Record<string, string>>,
  run: (tree: string, home: string) => Promise<void>,
): Promise<DependencyLayer> {
  const tree = layerTree(folder);
  const home = join(folder, 'home');
  const place = { gitDir: source.gitDir, workTree: tree, indexFile: join(folder, 'index') };
  for (const left of [tree, home]) await removeTree(left); // I1
  for (const made of [tree, home]) await mkdir(made, { recursive: true });
  await git.ok(place, ['read-tree', source.base]);
  await git.ok(place, ['checkout-index', '--all', '--force']);

  await run(tree, home);

  const layer: DependencyLayer = { entries: await addedBySetup(git, place.gitDir, tree, place.indexFile), env };
  await makeScratchFolders(tree, layer.entries);
  await writeFile(excludeFile(folder), excludeLines(layer));
  await rm(place.indexFile, { force: true });
  await removeTree(home);
  await writeJsonFile(layerFile(folder), layer, { durable: true });
  return layer;
}

async function addedBySetup(
  git: Git,
  gitDir: string,
  workTree: string,
  indexFile: string,
): Promise<readonly LayerEntry[]> {
  const listed = await git.run({ gitDir, workTree, indexFile }, [
    'ls-files',
    '--others',
    '--directory',
    '--no-empty-directory',
    '-z',
  ]);
  const paths = listed.stdout.split('\0').filter(Boolean);
  return paths.map((path) => {
    const bare = path.replace(/\/$/, '');
    return {
      path: bare,
      type: bare === path ? 'file' : 'folder',
      how: dependencyFolders.has(basename(bare)) ? 'link' : 'copy',
    };
  });
}

const excludeLines = ({ entries }: DependencyLayer) => entries.map(({ path }) => `/${escapePattern(path)}\n`).join('');

async function makeScratchFolders(tree: string, entries: readonly LayerEntry[]): Promise<void> {
  const packages = entries.filter((entry) => basename(entry.path) === 'node_modules');
  for (const { path } of packages)
    for (const name of scratchFolders) await mkdir(join(tree, path, name), { recursive: true });
}
