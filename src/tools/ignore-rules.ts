import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { compileGlob } from '../domain/glob/compile-glob';
import { BadGlob } from '../domain/glob/parse-glob';

/** One line of a .gitignore. The last one that holds a path decides. */
export interface IgnoreRule {
  readonly ignores: boolean;
  readonly foldersOnly: boolean;
  /** Of a path from the folder of the .gitignore. */
  readonly holds: (path: string) => boolean;
}

/** Larger ones are not written by people, and each line is tried on each path; bytes. */
const maxRulesBytes = 64 * 1024;

/** The rules of a folder's own .gitignore; none where it has none that is a regular file of a usual size. */
export async function readIgnoreRules(folder: string): Promise<readonly IgnoreRule[]> {
  // O_NONBLOCK: the open of a pipe without a writer would wait for ever.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(join(folder, '.gitignore'), flags).catch(() => undefined);
  if (!file) return [];
  try {
    return await rulesIn(file);
  } finally {
    await file.close();
  }
}

async function rulesIn(file: FileHandle): Promise<readonly IgnoreRule[]> {
  const facts = await file.stat();
  if (!facts.isFile() || facts.size > maxRulesBytes) return [];
  return (await file.readFile('utf8')).split(/\r?\n/).flatMap(ruleOf);
}

/** As git reads a line; one that cannot be read holds nothing. */
function ruleOf(line: string): readonly IgnoreRule[] {
  const text = withoutEndBlanks(line);
  if (text === '' || text.startsWith('#')) return [];
  const ignores = !text.startsWith('!');
  const pattern = ignores ? text : text.slice(1);
  const foldersOnly = pattern.endsWith('/');
  const name = foldersOnly ? pattern.slice(0, -1) : pattern;
  const glob = name.includes('/') ? name.replace(/^\//, '') : `**/${name}`;
  try {
    return [{ ignores, foldersOnly, holds: compileGlob(glob, 'ignore') }];
  } catch (error) {
    if (error instanceof BadGlob) return [];
    throw error;
  }
}

/** A backslash keeps the blank behind it. */
function withoutEndBlanks(line: string): string {
  const text = line.trimEnd();
  return text.endsWith('\\') && line.length > text.length ? `${text} ` : text;
}
