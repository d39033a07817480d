import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findSetpriv } from './find-setpriv';
import type { ProcessOwner } from './process-owner';

const run = promisify(execFile);
const userName = 'postgres';

/**
 * Who PostgreSQL runs as: it refuses root, so under root it is the system's user `postgres`, made where it is missing;
 * otherwise undefined, which is ourselves. `paths` are what that user must be able to enter.
 */
export async function findPostgresOwner(paths: readonly string[]): Promise<ProcessOwner | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const ids = (await lookUp()) ?? (await create());
  const setprivArgs = await reachArgs(ids, paths);
  return { ...ids, setprivArgs };
}

async function lookUp(): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const [uid, gid] = await Promise.all(['-u', '-g'].map(async (flag) => Number((await run('id', [flag, userName])).stdout)));
    return uid === undefined || gid === undefined ? undefined : { uid, gid };
  } catch {
    return undefined; // id fails for a user that is not there
  }
}

async function create(): Promise<{ uid: number; gid: number }> {
  try {
    await run('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', userName]);
  } catch (error) {
    throw new Error(`PostgreSQL cannot run as root, and the user ${userName} could not be made; make it, or set DATABASE_URL`, {
      cause: error,
    });
  }
  const ids = await lookUp();
  if (ids === undefined) throw new Error(`The user ${userName} was made but cannot be found`);
  return ids;
}

/** A clone under /root is closed to others: the right to read past that is granted to the server, and nothing more. */
const readEverywhere = ['--inh-caps', '+dac_read_search', '--ambient-caps', '+dac_read_search'];

async function reachArgs(ids: { uid: number; gid: number }, paths: readonly string[]): Promise<readonly string[]> {
  const test = [...paths.flatMap((path) => ['-a', '-r', path, '-a', '-x', path]).slice(1)];
  const setpriv = await findSetpriv();
  const reaches = (command: string, args: readonly string[], options: object) =>
    run(command, [...args, '/usr/bin/env', 'test', ...test], options).then(
      () => true,
      () => false,
    );
  if (setpriv === undefined) {
    if (await reaches('/usr/bin/env', [], { uid: ids.uid, gid: ids.gid })) return [];
  } else {
    const as = ['--reuid', String(ids.uid), '--regid', String(ids.gid), '--clear-groups'];
    for (const extra of [[], readEverywhere]) if (await reaches(setpriv, [...as, ...extra, '--'], {})) return extra;
  }
  throw new Error(
    `The user ${userName}, which PostgreSQL must run as under root, cannot read ${paths.join(' and ')}. Choose a data folder that others may enter (HOLDFAST_DATA_DIR), or set DATABASE_URL.`,
  );
}
