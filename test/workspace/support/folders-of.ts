import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Where processes work whose command line begins so. */
export const foldersOf = (line: string): readonly string[] =>
  readdirSync('/proc').flatMap((pid) => {
    try {
      const isOne = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').startsWith(line);
      return isOne ? [readlinkSync(`/proc/${pid}/cwd`)] : [];
    } catch {
      return []; // no process, or one that has ended
    }
  });
