import { join } from 'node:path';
import Database from 'libsql';
import type { DatabasePort, QueryOptions } from '../../src/activities/ports';
import { createDatabases } from '../../src/databases/create-databases';
import type { DatabaseConfig } from '../../src/databases/database-config';
import { tempFolder } from './temp-folder';

/** Real databases; the process that reads a SQLite file loads our TypeScript as it stands. */
export const testDatabases = (databases: Readonly<Record<string, DatabaseConfig>>): DatabasePort =>
  createDatabases(databases, ['-r', join(__dirname, 'register-swc.cjs')]);

/** A SQLite file made by these statements. */
export function sqliteFile(sql: string): string {
  const file = join(tempFolder('holdfast-sqlite-'), 'data.sqlite');
  const database = new Database(file);
  database.exec(sql);
  database.close();
  return file;
}

/** Wide enough for whatever is asked of them. */
export const queryOptions: QueryOptions = {
  signal: new AbortController().signal,
  timeoutMs: 30_000,
  rowsMax: 100,
  bytesMax: 10_000,
};
