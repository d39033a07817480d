import { execFile } from 'node:child_process';
import { lstat, mkdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { removeTree } from '../remove-tree';
import type { Sandbox } from '../sandbox/sandbox';
import type { Mount } from '../sandbox/sandbox-command';
import { scratchFolders } from './dependency-folders';
import { type DependencyLayer, excludeFile, type LayerEntry, layerTree } from './dependency-layer';

/** What a command in a checkout needs so that it finds the dependencies there. */
export interface LayerUse {
  readonly mounts: readonly Mount[];
  readonly readOnly: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export const noLayer: LayerUse = { mounts: [], readOnly: [], env: {} };

/** Where a checkout is, and what shows it the layer. */
export interface LayerPlace {
  readonly root: string;
  readonly sandbox: Sandbox['kind'];
  readonly path: string;
  readonly signal: AbortSignal;
}

/** Whether a checkout has the dependencies as files of its own: nothing can mount them, or its build changes them. */
export const hasOwnCopy = ({ build }: DependencyLayer, sandbox: Sandbox['kind']) =>
  sandbox === 'none' || build.changesDependencies;

/**
 * Puts the layer's dependencies in place, as read-only mounts or as a copy, and returns what commands need.
 *
 *   I1  Nothing is made or removed below a symbolic link: a command may have put one there that leads out.
 *   I2  No link leads into the layer: a program behind it would find the layer's surroundings, and not the checkout's.
 */
export async function useLayer(layer: DependencyLayer, folder: string, place: LayerPlace): Promise<LayerUse> {
  const { root, path, signal } = place;
  const ownCopy = hasOwnCopy(layer, place.sandbox);
  const placed: LayerEntry[] = [];
  for (const entry of layer.entries) {
    if (!(await hasRealParents(root, entry.path))) continue; // I1
    if (ownCopy) await placeCopy(join(layerTree(folder), entry.path), join(root, entry.path), entry.type, signal);
    else await placeMountPoint(join(root, entry.path), entry.type);
    placed.push(entry);
  }
  return {
    mounts: ownCopy ? [] : placed.flatMap((entry) => mountsOf(entry, layerTree(folder), root)),
    readOnly: [folder],
    env: { ...virtualEnvironment(placed, root, path), ...filled(layer.env, folder, root), ...gitExcludes(folder) },
  };
}

function mountsOf(entry: LayerEntry, tree: string, root: string): readonly Mount[] {
  const to = join(root, entry.path);
  const scratch = basename(entry.path) === 'node_modules' ? scratchFolders : [];
  return [
    { kind: 'read_only', from: join(tree, entry.path), to },
    ...scratch.map((name): Mount => ({ kind: 'scratch', to: join(to, name) })),
  ];
}

async function placeMountPoint(at: string, type: LayerEntry['type']): Promise<void> {
  const there = await lstat(at).catch(() => undefined);
  if (type === 'folder' ? there?.isDirectory() : there?.isFile()) return;
  if (there) await rm(at, { recursive: true, force: true });
  if (type === 'folder') await mkdir(at);
  else await writeFile(at, '');
}

/** Whole or not at all; one that is there is the checkout's own. */
async function placeCopy(from: string, at: string, type: LayerEntry['type'], signal: AbortSignal): Promise<void> {
  await rmdir(at).catch(() => undefined); // a mount point of another time
  const there = await lstat(at).catch(() => undefined);
  if (type === 'folder' ? there?.isDirectory() : there?.isFile()) return;
  if (there) await rm(at, { recursive: true, force: true });
  const half = `${at}.half-copied`;
  try {
    await removeTree(half);
    await copy('cp', ['-RPp', from, half], { signal });
    await rename(half, at);
  } catch (error) {
    await removeTree(half);
    throw error;
  }
}

const copy = promisify(execFile);

async function hasRealParents(root: string, path: string): Promise<boolean> {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    if (!(await lstat(join(root, folder)).catch(() => undefined))?.isDirectory()) return false;
  }
  return true;
}

function filled(env: Readonly<Record<string, string>>, layer: string, root: string): Record<string, string> {
  const fill = (value: string) => value.replaceAll('{layer}', layer).replaceAll('{root}', root);
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)]));
}

/**
 * As if it were activated: `python` and `pytest` are the environment's. The checkout's own modules come before what an
 * install put into the environment: that is of the base, or leads nowhere.
 */
function virtualEnvironment(placed: readonly LayerEntry[], root: string, path: string): Record<string, string> {
  const found = placed.find((entry) => entry.path === '.venv' || entry.path === 'venv');
  if (!found) return {};
  return {
    VIRTUAL_ENV: join(root, found.path),
    PATH: `${join(root, found.path, 'bin')}:${path}`,
    PYTHONPATH: `${join(root, 'src')}:${root}`,
  };
}

const gitExcludes = (folder: string) => ({
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'core.excludesFile',
  GIT_CONFIG_VALUE_0: excludeFile(folder),
});
