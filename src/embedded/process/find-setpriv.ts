import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findOnPath } from './find-on-path';

const run = promisify(execFile);
let found: Promise<string | undefined> | undefined;

/**
 * util-linux's setpriv, where this is Linux and it is there (BusyBox has one of that name without `--pdeathsig`).
 * The machine does not change under us, so it is looked for once.
 */
export function findSetpriv(): Promise<string | undefined> {
  found ??= process.platform === 'linux' ? find() : Promise.resolve(undefined);
  return found;
}

async function find(): Promise<string | undefined> {
  const path = await findOnPath('setpriv');
  if (path === undefined) return undefined;
  try {
    await run(path, ['--pdeathsig', 'TERM', '--', '/bin/sh', '-c', ':']);
    return path;
  } catch {
    return undefined;
  }
}
