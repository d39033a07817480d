import { cp, lstat, mkdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Sandbox } from '../sandbox/sandbox';
import type { Mount } from '../sandbox/sandbox-command';
import { type DependencyLayer, excludeFile, type LayerEntry, layerTree, scratchFolders } from './dependency-layer';

/** What a command in a checkout needs so that it finds the dependencies there. */
export interface LayerUse {
  readonly mounts: readonly Mount[];
  readonly readOnly: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export const noLayer: LayerUse = { mounts: [], readOnly: [], env: {} };

/**
 * Puts the layer's links in place (they are mounts in a sandbox, symbolic links without one) and returns what commands need.
 *
 *   I1  Nothing is made or removed below a symbolic link: a command may have put one there that leads out.
 */
export async function useLayer(
  layer: DependencyLayer,
  folder: string,
  root: string,
  sandbox: Sandbox['kind'],
  path: string,
): Promise<LayerUse> {
  const links: LayerEntry[] = [];
  for (const entry of layer.entries) {
    if (entry.how !== 'link' || !(await hasRealParents(root, entry.path))) continue; // I1
    if (sandbox === 'none') await placeLink(join(layerTree(folder), entry.path), join(root, entry.path));
    else await placeMountPoint(join(root, entry.path), entry.type);
    links.push(entry);
  }
  return {
    mounts: sandbox === 'none' ? [] : links.flatMap((entry) => mountsOf(entry, layerTree(folder), root)),
    readOnly: [folder],
    env: { ...filled(layer.env, folder, root), ...virtualEnvironment(links, root, path), ...gitExcludes(folder) },
  };
}

/** Puts what setup built, and is no dependency, where it is not there: the agent's own to change and to build again. */
export async function copyBuilt(layer: DependencyLayer, folder: string, root: string): Promise<void> {
  for (const entry of layer.entries) {
    const to = join(root, entry.path);
    if (entry.how !== 'copy' || !(await hasRealParents(root, entry.path)) || (await exists(to))) continue;
    await cp(join(layerTree(folder), entry.path), to, { recursive: true, verbatimSymlinks: true });
  }
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

async function placeLink(from: string, at: string): Promise<void> {
  if ((await readlink(at).catch(() => undefined)) === from) return;
  await rm(at, { recursive: true, force: true });
  await symlink(from, at);
}

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

/** As if it were activated: `python` and `pytest` are the environment's. */
function virtualEnvironment(links: readonly LayerEntry[], root: string, path: string): Record<string, string> {
  const found = links.find((entry) => entry.path === '.venv' || entry.path === 'venv');
  return found ? { VIRTUAL_ENV: join(root, found.path), PATH: `${join(root, found.path, 'bin')}:${path}` } : {};
}

const gitExcludes = (folder: string) => ({
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'core.excludesFile',
  GIT_CONFIG_VALUE_0: excludeFile(folder),
});

const exists = async (path: string) => (await lstat(path).catch(() => undefined)) !== undefined;
