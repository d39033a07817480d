import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { errnoOf } from '../domain/failure/errno-of';

/** The parsed file, or undefined where there is none. The caller wrote it, so its shape is the caller's word. */
export async function readJsonFile<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whole or not at all: a reader sees the old text or the new one. `durable` ones survive a power cut too. */
export async function writeJsonFile(path: string, value: unknown, { durable }: { durable: boolean }): Promise<void> {
  const beside = `${path}.${randomUUID()}.tmp`;
  await writeFile(beside, `${JSON.stringify(value, null, 1)}\n`, { flush: durable });
  await rename(beside, path);
}
