import { readdir, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { createBreather } from './breather';
import { type IgnoreRule, readIgnoreRules } from './ignore-rules';

/** Never listed: git's own, and dependencies, which are no part of the work whatever a repository ignores. */
const neverListed = new Set(['.git', 'node_modules', '.venv', '__pycache__']);

/** A tree with more entries is not listed to its end. */
const maxEntries = 200_000;

/** A folder, and the rules of its .gitignore. */
interface Rules {
  readonly folder: string;
  readonly rules: readonly IgnoreRule[];
}
interface Walk {
  readonly root: string;
  readonly signal: AbortSignal;
  readonly breathe: () => Promise<void> | undefined;
  entriesLeft: number;
}

/**
 * Paths from the root of every file below the folder that .gitignore files let through, sorted; links are not followed.
 * Both names and rules may be a model's: others have their turn between any two of them.
 */
export async function* walkFiles(root: string, folder: string, signal: AbortSignal): AsyncGenerator<string> {
  const realRoot = await realpath(root);
  const above: Rules[] = [];
  for (const parent of foldersDownTo(realRoot, folder)) above.push(await rulesOf(parent));
  yield* walk({ root: realRoot, signal, breathe: createBreather(signal), entriesLeft: maxEntries }, folder, above);
}

async function* walk(state: Walk, folder: string, above: readonly Rules[]): AsyncGenerator<string> {
  state.signal.throwIfAborted();
  const rules = [...above, await rulesOf(folder)];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []); // a folder that may not be entered
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    state.entriesLeft -= 1;
    if (state.entriesLeft < 0) return;
    const path = join(folder, entry.name);
    if (neverListed.has(entry.name) || (await isIgnored(state, rules, path, entry.isDirectory()))) continue;
    if (entry.isDirectory()) yield* walk(state, path, rules);
    else yield relative(state.root, path).split(sep).join('/');
  }
}

async function rulesOf(folder: string): Promise<Rules> {
  return { folder, rules: await readIgnoreRules(folder) };
}

/** As git: the nearest rule that says anything decides, and of one file the last. */
async function isIgnored(state: Walk, all: readonly Rules[], path: string, isFolder: boolean): Promise<boolean> {
  await state.breathe();
  for (const { folder, rules } of all.toReversed()) {
    const inside = relative(folder, path).split(sep).join('/');
    for (const rule of rules.toReversed()) {
      if ((isFolder || !rule.foldersOnly) && rule.holds(inside)) return rule.ignores;
      await state.breathe();
    }
  }
  return false;
}

function foldersDownTo(root: string, folder: string): readonly string[] {
  const parts = relative(root, folder).split(sep).filter(Boolean);
  return parts.map((_, index) => join(root, ...parts.slice(0, index)));
}
