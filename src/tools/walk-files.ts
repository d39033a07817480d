import { readdir, readFile, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';

/** Never listed: git's own, and dependencies, which are no part of the work whatever a repository ignores. */
const neverListed = new Set(['.git', 'node_modules', '.venv', '__pycache__']);

/** A tree with more entries is not listed to its end. */
const maxEntries = 200_000;

/** A rule file and the folder that its patterns are relative to. */
interface Rules {
  readonly folder: string;
  readonly ignores: Ignore;
}

/** Paths from the root of every file below the folder that .gitignore files let through, sorted; links are not followed. */
export async function* walkFiles(root: string, folder: string, signal: AbortSignal): AsyncGenerator<string> {
  const realRoot = await realpath(root);
  const rules: Rules[] = [];
  for (const parent of foldersDownTo(realRoot, folder)) rules.push(...(await rulesOf(parent)));
  const budget = { left: maxEntries };
  yield* walk(realRoot, folder, rules, signal, budget);
}

async function* walk(
  root: string,
  folder: string,
  above: readonly Rules[],
  signal: AbortSignal,
  budget: { left: number },
): AsyncGenerator<string> {
  signal.throwIfAborted();
  const rules = [...above, ...(await rulesOf(folder))];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []); // a folder that may not be entered
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    budget.left -= 1;
    if (budget.left < 0) return;
    const path = join(folder, entry.name);
    if (neverListed.has(entry.name) || isIgnored(rules, path, entry.isDirectory())) continue;
    if (entry.isDirectory()) yield* walk(root, path, rules, signal, budget);
    else yield relative(root, path).split(sep).join('/');
  }
}

async function rulesOf(folder: string): Promise<readonly Rules[]> {
  const text = await readFile(join(folder, '.gitignore'), 'utf8').catch(() => undefined);
  return text === undefined ? [] : [{ folder, ignores: ignore().add(text) }];
}

/** As git: the nearest rule that says anything decides. */
function isIgnored(rules: readonly Rules[], path: string, isFolder: boolean): boolean {
  for (const { folder, ignores } of rules.toReversed()) {
    const verdict = ignores.test(relative(folder, path).split(sep).join('/') + (isFolder ? '/' : ''));
    if (verdict.ignored || verdict.unignored) return verdict.ignored;
  }
  return false;
}

function foldersDownTo(root: string, folder: string): readonly string[] {
  const parts = relative(root, folder).split(sep).filter(Boolean);
  return parts.map((_, index) => join(root, ...parts.slice(0, index)));
}
