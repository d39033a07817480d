import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findSetpriv } from '../process/find-setpriv';
import type { ProcessOwner } from '../process/process-owner';

const run = promisify(execFile);
const userName = 'postgres';
/** A folder of root's own is closed to others: the right to read past that is granted to the server, and nothing more. */
const readEverywhere = ['--inh-caps', '+dac_read_search', '--ambient-caps', '+dac_read_search'];

/**
 * Who PostgreSQL runs as: it refuses root, so under root it is the system's user `postgres`, made where it is missing;
 * otherwise undefined, which is ourselves. Throws where that user cannot be let into the data folder.
 */
export async function findPostgresOwner(dataDir: string): Promise<ProcessOwner | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const ids = (await lookUp()) ?? (await create());
  const plain = { ...ids, setprivArgs: [] };
  if (await canRun(plain, 'ls', ['--', dataDir])) return plain;
  const reader = { ...ids, setprivArgs: readEverywhere };
  if ((await findSetpriv()) !== undefined && (await canRun(reader, 'ls', ['--', dataDir]))) return reader;
  throw new Error(
    `PostgreSQL cannot run as root, and the user ${userName} cannot enter ${dataDir}. Choose a data folder that others may enter (HOLDFAST_DATA_DIR), or set DATABASE_URL.`,
  );
}

/** Whether a command succeeds as this user. */
export async function canRun(owner: ProcessOwner, command: string, args: readonly string[]): Promise<boolean> {
  const { uid, gid, setprivArgs } = owner;
  const setpriv = await findSetpriv();
  const as = ['--reuid', String(uid), '--regid', String(gid), '--clear-groups', ...setprivArgs, '--'];
  const running =
    setpriv === undefined
      ? run(command, args, { cwd: '/', uid, gid })
      : run(setpriv, [...as, command, ...args], { cwd: '/' });
  return running.then(
    () => true,
    () => false,
  );
}

async function lookUp(): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const number = async (flag: string) => Number((await run('id', [flag, userName])).stdout);
    return { uid: await number('-u'), gid: await number('-g') };
  } catch {
    return undefined; // id fails for a user that is not there
  }
}

async function create(): Promise<{ uid: number; gid: number }> {
  try {
    await run('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', userName]);
  } catch (cause) {
    const message = `PostgreSQL cannot run as root, and the user ${userName} could not be made; make it, or set DATABASE_URL`;
    throw new Error(message, { cause });
  }
  const ids = await lookUp();
  if (ids === undefined) throw new Error(`The user ${userName} was made but cannot be found`);
  return ids;
}
