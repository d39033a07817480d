import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, DatabaseError } from 'pg';
import { freePort } from './free-port';
import { initDatabaseFolder } from './init-database-folder';
import type { ManagedProcess, StopSteps } from './managed-process';
import { findPostgresBinaries } from './postgres-binaries';
import { findPostgresOwner } from './postgres-owner';
import { postgresSettings } from './postgres-settings';
import { endLeftoverPostgres } from './postmaster-file';
import { spawnServer } from './spawn-server';
import { waitUntilReady } from './wait-until-ready';

const user = 'holdfast';
const database = 'holdfast';
/** A start after SIGKILL replays the log since the last checkpoint: seconds, and more on a slow disk. */
const readyTimeoutMs = 120_000;
/** A connection to this machine is there at once or not at all. */
const connectTimeoutMs = 2_000;
/** Fast shutdown writes a checkpoint; an immediate one leaves that to the next start. */
const stopSteps: StopSteps = [
  { signal: 'SIGINT', graceMs: 10_000 },
  { signal: 'SIGQUIT', graceMs: 3_000 },
];
/** The port may be taken between our look and PostgreSQL's; backends of a killed server need a moment to notice. */
const startAttempts = 4;

export interface PostgresServer {
  readonly process: ManagedProcess;
  readonly port: number;
  /** With the password: for whoever may read the data folder. */
  readonly url: string;
}

/**
 * Starts PostgreSQL on `<dataDir>/postgres`, made where it is missing, and returns when the database `holdfast` answers.
 * The earlier port is kept where it is free. Only for the holder of the stack's lock.
 */
export async function startPostgres(options: {
  dataDir: string;
  earlierPort?: number | undefined;
  tell: (text: string) => void;
}): Promise<PostgresServer> {
  const { dataDir, tell } = options;
  const folder = join(dataDir, 'postgres');
  const binaries = findPostgresBinaries();
  const owner = await findPostgresOwner([dataDir, binaries.initdb]);
  const password = await databasePassword(join(dataDir, 'postgres-password'), existsSync(folder));
  if (existsSync(folder)) await endLeftoverPostgres(folder, stopSteps);
  else {
    tell('creating the database');
    await initDatabaseFolder({ binaries, owner, folder, user, password });
  }

  for (let attempt = 1; ; attempt++) {
    const port = await freePort(attempt === 1 ? options.earlierPort : undefined);
    const url = `postgresql://${user}:${password}@127.0.0.1:${port}/${database}`;
    const logFile = join(dataDir, 'logs', 'postgres.log');
    const process = await spawnServer({
      command: binaries.postgres,
      args: ['-D', folder, ...postgresSettings(port)],
      env: { LC_ALL: 'C' },
      cwd: folder,
      logFile,
      stopSteps,
      owner,
    });
    try {
      await waitUntilReady(process, { name: 'PostgreSQL', logFile, limitMs: readyTimeoutMs }, () => ensureDatabase(url));
      return { process, port, url };
    } catch (error) {
      await process.stop();
      if (attempt === startAttempts) throw error;
    }
  }
}

/** One password for the life of the data folder, in a file that only its owner reads. */
async function databasePassword(file: string, mustExist: boolean): Promise<string> {
  if (existsSync(file)) return (await readFile(file, 'utf8')).trim();
  if (mustExist) throw new Error(`${file} is missing: the database beside it cannot be opened without it`);
  const password = randomBytes(24).toString('base64url');
  await writeFile(`${file}.new`, `${password}\n`, { mode: 0o600, flush: true });
  await chmod(`${file}.new`, 0o600);
  await rename(`${file}.new`, file);
  return password;
}

const unknownDatabase = '3D000';

async function ensureDatabase(url: string): Promise<void> {
  try {
    await query(url, 'select 1');
  } catch (error) {
    if (!(error instanceof DatabaseError && error.code === unknownDatabase)) throw error;
    const maintenance = new URL(url);
    maintenance.pathname = '/postgres';
    await query(maintenance.href, `create database ${database}`);
  }
}

async function query(connectionString: string, sql: string): Promise<void> {
  const client = new Client({ connectionString, connectionTimeoutMillis: connectTimeoutMs });
  client.on('error', () => {}); // the query's own rejection says it
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    await client.end().catch(() => {});
  }
}
