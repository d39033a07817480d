import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommitFiles } from './commit-files';

/**
 * What an install runs of the repository's own packages, in npm's order. It reads their sources, so a layer is installed
 * without it, and it runs again in each checkout.
 */
const scriptNames = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'];

/** Guards such as `only-allow` look at who installs, and reach for the network to do it. */
const notRepeated = new Set(['preinstall']);
/** They write into .git, which is nobody's to write here, and build nothing. */
const gitHooks = /^\s*(husky|lefthook|simple-git-hooks)(\s+install)?\s*$/;

/** One shell line for each script of the packages (folders from the root; `.` is the root's own and comes last). */
export async function lifecycleLines(packages: readonly string[], files: CommitFiles): Promise<readonly string[]> {
  const lines = await Promise.all(
    packages.map(async (folder) => {
      const scripts = scriptsOf(await files.read(join(folder, 'package.json')));
      return scriptNames
        .filter((name) => !notRepeated.has(name) && name in scripts && !gitHooks.test(String(scripts[name])))
        .map((name) => `cd ${quoted(folder)} && npm run --silent --ignore-scripts ${name}`);
    }),
  );
  return lines.flat();
}

/** Takes the scripts out of every manifest of the checkout. */
export async function withoutLifecycle(tree: string): Promise<void> {
  for (const entry of await readdir(tree, { withFileTypes: true })) {
    const path = join(tree, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules') await withoutLifecycle(path);
    if (entry.isFile() && entry.name === 'package.json') await strip(path);
  }
}

/** The repository's own packages that the install linked, then the root. */
export async function linkedPackages(tree: string): Promise<readonly string[]> {
  return [...((await linkedByNpm(tree)) ?? (await linkedByPnpm(tree))), '.'];
}

async function linkedByNpm(tree: string): Promise<readonly string[] | undefined> {
  const installed = record(parsed(await textOf(join(tree, 'node_modules/.package-lock.json'))));
  if (!installed) return undefined;
  return Object.values(record(installed['packages']) ?? {}).flatMap((entry) => {
    const { link, resolved } = record(entry) ?? {};
    return link === true && typeof resolved === 'string' && isBelow(resolved) ? [resolved] : [];
  });
}

async function linkedByPnpm(tree: string): Promise<readonly string[]> {
  const importers = /^importers:\n((?:[ \t].*\n|\n)*)/m.exec(await textOf(join(tree, 'pnpm-lock.yaml')))?.[1] ?? '';
  const folders = [...importers.matchAll(/^ {2}'?([^\s':]+)'?:/gm)].map(([, folder = '.']) => folder);
  return folders.filter((folder) => folder !== '.' && isBelow(folder));
}

async function strip(path: string): Promise<void> {
  const manifest = record(parsed(await textOf(path)));
  const scripts = record(manifest?.['scripts']);
  if (!scripts || !scriptNames.some((name) => name in scripts)) return;
  const kept = Object.entries(scripts).filter(([name]) => !scriptNames.includes(name));
  await writeFile(path, JSON.stringify({ ...manifest, scripts: Object.fromEntries(kept) }));
}

const scriptsOf = (text: string | undefined) => record(record(parsed(text ?? ''))?.['scripts']) ?? {};
const textOf = (path: string) => readFile(path, 'utf8').catch(() => '');
const isBelow = (folder: string) => !folder.startsWith('/') && !folder.split('/').includes('..');
const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

/** Undefined where it is no JSON: a broken manifest is for the agent to repair. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}
