import { execFile } from 'node:child_process';
import { chown, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findSetpriv } from '../process/find-setpriv';
import type { ProcessOwner } from '../process/process-owner';
import type { PostgresFolder } from './postgres-folder';

const run = promisify(execFile);
/** Normally under two seconds; a slow disk may need a minute. */
const initTimeoutMs = 120_000;

/** Makes PostgreSQL's folder whole or not at all: it is built beside its place and renamed when it is finished. */
export async function initDatabaseFolder({ binaries, owner, path, user, password }: PostgresFolder): Promise<void> {
  const draft = `${path}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  const passwordFile = join(draft, 'password');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (owner !== undefined) for (const mine of [draft, passwordFile]) await chown(mine, owner.uid, owner.gid);

  const data = join(draft, 'data');
  const args = [
    `--pgdata=${data}`,
    `--username=${user}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The same order on every machine, whatever locales it has.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ];
  await runAs(owner, binaries.initdb, args, draft);
  await rename(data, path);
  await rm(draft, { recursive: true, force: true });
}

async function runAs(
  owner: ProcessOwner | undefined,
  program: string,
  args: readonly string[],
  cwd: string,
): Promise<void> {
  const options = { cwd, timeout: initTimeoutMs, env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' } };
  if (owner === undefined) {
    await run(program, args, options);
    return;
  }
  const { uid, gid, setprivArgs } = owner;
  const setpriv = await findSetpriv();
  if (setpriv === undefined) await run(program, args, { ...options, uid, gid });
  else {
    const as = ['--reuid', String(uid), '--regid', String(gid), '--clear-groups', ...setprivArgs];
    await run(setpriv, [...as, '--', program, ...args], options);
  }
}
