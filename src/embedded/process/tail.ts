import { readFileSync } from 'node:fs';

/** Enough to hold the reason that a server gives before it ends. */
const tailLines = 8;

/** The last lines of a log file; empty where it cannot be read. */
export function tail(file: string): string {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-tailLines).join('\n');
  } catch {
    return '';
  }
}
