import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { errorCode } from '../../domain/failure/error-code';
import { endLeftovers } from '../process/end-leftovers';
import type { ManagedProcess, StopSteps } from '../process/managed-process';
import { spawnServer } from '../process/spawn-server';
import { waitUntilReady } from '../process/wait-until-ready';
import type { PostgresFolder } from './postgres-folder';
import { postgresSettings } from './postgres-settings';

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

/** With the password: for whoever may read the data folder. */
export function postgresUrl({ user, password }: PostgresFolder, port: number): string {
  return `postgresql://${user}:${password}@127.0.0.1:${port}/${database}`;
}

/**
 * Starts PostgreSQL and returns when the database answers. What a killed predecessor left on the folder is ended first,
 * so only the holder of the stack's lock may call it. Throws ServerEndedError where the port is taken.
 */
export async function startPostgres(folder: PostgresFolder, port: number): Promise<ManagedProcess> {
  await endLeftovers(['-D', folder.path], stopSteps);
  // Without a server the file is stale, and would fool PostgreSQL where a stranger has that pid now.
  await rm(join(folder.path, 'postmaster.pid'), { force: true });

  const { logFile } = folder;
  const server = await spawnServer({
    command: folder.binaries.postgres,
    args: ['-D', folder.path, ...postgresSettings(port)],
    env: { LC_ALL: 'C' },
    cwd: folder.path,
    logFile,
    stopSteps,
    owner: folder.owner,
  });
  const url = postgresUrl(folder, port);
  await waitUntilReady(server, { name: 'PostgreSQL', logFile, limitMs: readyTimeoutMs }, () => ensureDatabase(url));
  return server;
}

const unknownDatabase = '3D000';

async function ensureDatabase(url: string): Promise<void> {
  try {
    await query(url, 'select 1');
  } catch (error) {
    if (errorCode(error) !== unknownDatabase) throw error;
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
