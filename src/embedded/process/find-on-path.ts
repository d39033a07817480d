import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where the shell would find a program on this process's PATH; undefined where it would not. */
export async function findOnPath(program: string): Promise<string | undefined> {
  try {
    const { stdout } = await run('/bin/sh', ['-c', 'command -v "$1"', 'sh', program]);
    const path = stdout.trim();
    return path.startsWith('/') ? path : undefined;
  } catch {
    return undefined; // `command -v` fails where there is none
  }
}
