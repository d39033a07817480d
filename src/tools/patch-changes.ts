import { lstat, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { StructuredPatch } from 'diff';
import { applyHunks } from './apply-hunks';
import { createBreather } from './breather';
import { createPatchWork, maxPatchedBytes, type PatchWork, patchTooLarge } from './patch-work';
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

/**
 * Applies every part in memory, in order; parts of one file see each other. Throws PATCH_CONFLICT where one does not fit,
 * PATCH_TOO_LARGE, and the signal's reason.
 */
export async function planChanges(
  root: string,
  parts: readonly FilePatch[],
  signal: AbortSignal,
): Promise<readonly Change[]> {
  const changes = new Map<string, Change>();
  const work = createPatchWork();
  const breathe = createBreather(signal);
  for (const { from, to, mode, patch } of parts) {
    await breathe();
    const source = from === undefined ? '' : await current(root, from, changes);
    if (to !== undefined && to !== from) await refuseExisting(root, to, changes);
    const text = applied(source, patch, from ?? to ?? '', work);
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
    const { size } = await file.stat();
    if (size > maxPatchedBytes) throw patchTooLarge(`${path} has ${size} bytes, more than ${maxPatchedBytes}`);
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

function applied(source: string, { hunks }: StructuredPatch, path: string, work: PatchWork): string {
  if (hunks.length === 0) return source;
  work.spendText(source);
  const result = applyHunks(source, hunks, work.spend);
  switch (result.kind) {
    case 'applied':
      return result.text;
    case 'misfit':
      throw conflict(`${path}: ${misfit(source, hunks, result.hunk)}`);
  }
}

/** Lines of the file that are shown where a hunk was expected: enough to see what stands there now. */
const linesShown = 8;
/** Of each of them: a line of code, and not a minified file. */
const lineMaxChars = 300;

function misfit(source: string, hunks: StructuredPatch['hunks'], index: number): string {
  const first = hunks[index]?.oldStart ?? 1;
  const lines = source.split('\n').slice(first - 1, first - 1 + linesShown);
  const shown = lines.map((line) => line.slice(0, lineMaxChars)).join('\n');
  return `hunk ${index + 1} does not fit. The file has from line ${first}:\n${shown}`;
}

function conflict(what: string): ToolError {
  return new ToolError(
    { class: 'state_conflict', code: 'PATCH_CONFLICT' },
    `Nothing was changed. ${what}`,
    'Read the file again and make the patch from what it holds now.',
  );
}
