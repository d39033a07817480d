import { readFileSync } from 'node:fs';
import { tail } from './tail';

/** More than any reason has that was written for a person. */
const reasonLinesMax = 40;

/**
 * What a process said of its end: all from the last line that begins with `mark`, where only words and no entries of its
 * log (JSON lines) follow it; else the last lines of the log.
 */
export function lastWords(file: string, mark: string): string {
  const lines = linesOf(file);
  const from = lines.findLastIndex((line) => line.startsWith(mark));
  const reason = from < 0 ? [] : lines.slice(from);
  if (reason.length === 0 || reason.some((line) => line.startsWith('{"'))) return tail(file);
  return reason.slice(0, reasonLinesMax).join('\n');
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n');
  } catch {
    return [];
  }
}
