import { resolve } from 'node:path';
import { z } from 'zod';
import type { DatabaseConfig } from '../databases/database-config';
import { closedObject } from '../located-yaml/closed-object';
import { namePattern } from '../protocol/ids';
import { secret } from './secret';

const database = closedObject({
  url: secret.optional().describe('Of a PostgreSQL database; give it a role that may only read.'),
  file: z.string().min(1).optional().describe('A SQLite file; relative to this file.'),
  timeoutMs: z.int().positive().optional().describe('Longest for one query, ms.'),
}).superRefine((entry, context) => {
  if ((entry.url === undefined) === (entry.file === undefined))
    context.addIssue({ code: 'custom', message: 'a database has either url or file', input: entry });
});

export const databasesSchema = z
  .record(z.string().regex(namePattern, 'a name is a-z, 0-9, ".", "_" or "-"'), database)
  .optional()
  .describe('Databases that tasks may ask; they are only read.');

/** @param folder what relative paths are relative to */
export function databaseConfigs(
  written: z.output<typeof databasesSchema>,
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, DatabaseConfig>> {
  return Object.fromEntries(
    Object.entries(written ?? {}).map(([name, { url, file, timeoutMs }]) => [
      name,
      {
        ...(url
          ? { kind: 'postgres', url: () => env[url.env] }
          : { kind: 'sqlite', file: resolve(folder, file ?? '') }),
        ...(timeoutMs !== undefined && { timeoutMs }),
      } satisfies DatabaseConfig,
    ]),
  );
}
