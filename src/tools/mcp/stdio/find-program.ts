import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';

/**
 * Path of the program that a shell in `cwd` would run by this name. Throws the system's own error, by its code: ENOENT
 * where there is none, or no such folder; EACCES where it may not be run.
 */
export function findProgram(command: string, cwd: string, path: string): string {
  statSync(cwd);
  const places = command.includes('/') ? [cwd] : path.split(delimiter).map((folder) => resolve(cwd, folder));
  let why: unknown;
  for (const place of places) {
    const candidate = resolve(place, command);
    try {
      accessSync(candidate, constants.F_OK);
      if (statSync(candidate).isDirectory()) continue;
      accessSync(candidate, constants.X_OK);
      return candidate;
    } catch (error) {
      if (!isMissing(error))
        why = error; // one that may not be run says more than those that are not there
      else why ??= error;
    }
  }
  throw why ?? Object.assign(new Error(`there is no program ${command}`), { code: 'ENOENT' });
}

const isMissing = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
