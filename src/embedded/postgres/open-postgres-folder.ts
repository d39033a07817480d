import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { initDatabaseFolder } from './init-database-folder';
import { findPostgresBinaries } from './postgres-binaries';
import type { PostgresFolder } from './postgres-folder';
import { findPostgresOwner } from './postgres-owner';

/** `<dataDir>/postgres`, made where it is missing. Only for the holder of the stack's lock. */
export async function openPostgresFolder(dataDir: string, tell: (text: string) => void): Promise<PostgresFolder> {
  const path = join(dataDir, 'postgres');
  const owner = await findPostgresOwner(dataDir);
  const binaries = await findPostgresBinaries(owner);
  const password = await databasePassword(join(dataDir, 'postgres-password'), existsSync(path));
  const folder = { binaries, owner, path, logFile: join(dataDir, 'logs', 'postgres.log'), user: 'holdfast', password };
  if (!existsSync(path)) {
    tell('creating the database');
    await initDatabaseFolder(folder);
  }
  return folder;
}

/** One password for the life of the data folder, in a file that only its owner reads. */
async function databasePassword(file: string, mustExist: boolean): Promise<string> {
  if (existsSync(file)) return (await readFile(file, 'utf8')).trim();
  if (mustExist) throw new Error(`${file} is missing: the database beside it cannot be opened without it`);
  const password = randomBytes(24).toString('base64url');
  await writeFile(`${file}.new`, `${password}\n`, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
  return password;
}
