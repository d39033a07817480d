import { lstat, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { applyPatch, type StructuredPatch } from 'diff';
import type { FilePatch } from './read-patch';
import { replaceFile } from './replace-file';
import { ToolError } from './tool-errors';
import { insideWorkspace, makeParent, notFound, openInside } from './workspace-path';

/** What a patch makes of one path: a text, or nothing. */
export interface Change {
  readonly path: string;
  readonly text: string | undefined;
  readonly mode: number | undefined;
  readonly how: 'created' | 'modified' | 'deleted';
}

/** Applies every part in memory, in order; parts of one file see each other. Throws PATCH_CONFLICT where one does not fit. */
export async function planChanges(root: string, parts: readonly FilePatch[]): Promise<readonly Change[]> {
  const changes = new Map<string, Change>();
  for (const { from, to, mode, patch } of parts) {
    const source = from === undefined ? '' : await current(root, from, changes);
    if (to !== undefined && to !== from) await refuseExisting(root, to, changes);
    const text = applied(source, patch, from ?? to ?? '');
    if (to === undefined && text !== '') throw conflict(`${from} has lines that the patch does not remove`);
    if (from !== undefined && from !== to)
      changes.set(from, { path: from, text: undefined, mode: undefined, how: 'deleted' });
    if (to !== undefined) {
      const keptMode = mode ?? (from === undefined ? undefined : await modeOf(root, from));
      changes.set(to, { path: to, text, mode: keptMode, how: from === to ? 'modified' : 'created' });
    }
  }
  return [...changes.values()];
}

/** Writes what was planned. A try that dies in between is reset as a whole (E10). */
export async function commitChanges(root: string, changes: readonly Change[]): Promise<void> {
  for (const change of changes.filter(({ text }) => text === undefined)) await remove(root, change.path);
  for (const { path, text, mode } of changes)
    if (text !== undefined) await replaceFile(await makeParent(root, path), text, mode);
}

export function describeChanges(changes: readonly Change[]): string {
  return changes.map(({ how, path }) => `${how} ${path}`).join('\n');
}

async function current(root: string, path: string, changes: ReadonlyMap<string, Change>): Promise<string> {
  const earlier = changes.get(path);
  if (earlier?.text !== undefined) return earlier.text;
  if (earlier) throw notFound(path);
  await refuseLink(root, path);
  const file = await openInside(root, path);
  try {
    const body = await file.readFile();
    const text = body.toString('utf8');
    // Bytes that are no UTF-8 would come back as others, also in lines that the patch leaves alone.
    if (Buffer.from(text).equals(body)) return text;
    throw new ToolError(
      { class: 'tool_business', code: 'BINARY_FILE' },
      `${path} is no UTF-8 text.`,
      'Change it with run_command.',
    );
  } finally {
    await file.close();
  }
}

async function refuseExisting(root: string, path: string, changes: ReadonlyMap<string, Change>): Promise<void> {
  const earlier = changes.get(path);
  if (earlier && earlier.text === undefined) return;
  const real = await insideWorkspace(root, path);
  const there = earlier !== undefined || (await lstat(real).catch(() => undefined)) !== undefined;
  if (there) throw conflict(`${path} is there already, and the patch makes it`);
}

async function refuseLink(root: string, path: string): Promise<void> {
  await insideWorkspace(root, path);
  const there = await lstat(join(root, path)).catch(() => undefined);
  if (there?.isSymbolicLink()) throw conflict(`${path} is a link`);
}

async function modeOf(root: string, path: string): Promise<number | undefined> {
  return (await lstat(await insideWorkspace(root, path)).catch(() => undefined))?.mode;
}

/** Git keeps no empty folders, so neither does a deletion. */
async function remove(root: string, path: string): Promise<void> {
  await rm(await insideWorkspace(root, path));
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const removed = await rmdir(join(root, folder)).then(
      () => true,
      () => false, // not empty
    );
    if (!removed) return;
  }
}

function applied(source: string, patch: StructuredPatch, path: string): string {
  const text = applyPatch(source, patch, { fuzzFactor: 0 });
  if (text !== false) return text;
  throw conflict(`${path}: ${firstMisfit(source, patch)}`);
}

/** Lines of the file that are shown where a hunk was expected. */
const linesShown = 8;

function firstMisfit(source: string, patch: StructuredPatch): string {
  const at = patch.hunks.findIndex(
    (_, index) => applyPatch(source, { ...patch, hunks: patch.hunks.slice(0, index + 1) }, { fuzzFactor: 0 }) === false,
  );
  const hunk = patch.hunks[at];
  if (!hunk) return 'the patch does not fit';
  const lines = source.split('\n').slice(hunk.oldStart - 1, hunk.oldStart - 1 + linesShown);
  return `hunk ${at + 1} does not fit. The file has from line ${hunk.oldStart}:\n${lines.join('\n')}`;
}

function conflict(what: string): ToolError {
  return new ToolError(
    { class: 'state_conflict', code: 'PATCH_CONFLICT' },
    `Nothing was changed. ${what}`,
    'Read the file again and make the patch from what it holds now.',
  );
}
