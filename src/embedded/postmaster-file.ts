import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endProcess } from './end-process';
import type { StopSteps } from './managed-process';
import { identify, type ProcessIdentity } from './process-identity';

const run = promisify(execFile);

/**
 * Leaves the database folder without a server: one that a killed predecessor left running is ended in order, and the
 * file of one that is gone is removed (PostgreSQL itself would be fooled by a stranger that has the pid now).
 * Only for the holder of the stack's lock.
 */
export async function endLeftoverPostgres(folder: string, stopSteps: StopSteps): Promise<void> {
  const file = join(folder, 'postmaster.pid');
  const left = await postmaster(file, folder);
  if (left !== undefined) await endProcess(left, stopSteps);
  await rm(file, { force: true });
}

async function postmaster(file: string, folder: string): Promise<ProcessIdentity | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  if (!(pid > 0)) return undefined;
  const identity = identify(pid);
  if (identity === undefined) return undefined;
  const { stdout } = await run('ps', ['-ww', '-o', 'args=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.includes(`-D ${folder}`) ? identity : undefined;
}
