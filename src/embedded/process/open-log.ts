import { mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Enough to see what happened before; with the one kept aside, a log takes twice this and one run's output. */
const maxLogBytes = 10 * 1024 * 1024;

/**
 * A descriptor that appends to a log; the caller closes it. A log that has grown large is set aside as `<file>.old` first.
 * Only its owner may read it: servers write statements and addresses.
 */
export function openLog(file: string): number {
  mkdirSync(dirname(file), { recursive: true });
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > maxLogBytes) renameSync(file, `${file}.old`);
  return openSync(file, 'a', 0o600);
}
