import { resolve } from 'node:path';
import { z } from 'zod';
import { closedObject } from '../located-yaml/closed-object';
import { namePattern } from '../protocol/ids';

const sealed = closedObject({
  path: z
    .string()
    .min(1)
    .describe('A folder of plain files, where no command of an agent can read; relative to this file.'),
});

export const sealedSchema = z
  .record(z.string().regex(namePattern, 'a name is a-z, 0-9, ".", "_" or "-"'), sealed)
  .optional()
  .describe('Files of sealed tests, which a check lays over its clean copy.');

/** Absolute folders by name. @param folder what relative paths are relative to */
export const sealedFolders = (
  written: z.output<typeof sealedSchema>,
  folder: string,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(written ?? {}).map(([name, { path }]) => [name, resolve(folder, path)]));
