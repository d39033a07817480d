import type { StructuredPatch } from 'diff';
import { findLines } from './find-lines';

export type Applied =
  | { readonly kind: 'applied'; readonly text: string }
  /** Counted from 0. */
  | { readonly kind: 'misfit'; readonly hunk: number };

type Hunk = StructuredPatch['hunks'][number];

/**
 * Applies the hunks of one file exactly: every context and removed line is there, at the place that the hunk names or,
 * where lines were added or removed above it, at the nearest one. `spend` is told of work before it is done, in lines,
 * and may throw: the file's length, each hunk's, and for a moved one the file's again.
 */
export function applyHunks(source: string, hunks: readonly Hunk[], spend: (lines: number) => void): Applied {
  const text = readText(source, hunks);
  spend(text.lines.length);
  const ends = endsOf(hunks.at(-1));
  if ((ends.oldOpen && !text.open) || (ends.newOpen && !ends.oldOpen && text.open)) {
    return { kind: 'misfit', hunk: hunks.length - 1 };
  }
  if (ends.oldOpen && !ends.newOpen) text.lines.push(''); // the last line gets its end
  if (ends.newOpen && !ends.oldOpen) text.lines.pop(); // or loses it

  const made: string[] = [];
  let done = 0;
  let moved = 0;
  for (const [index, hunk] of hunks.entries()) {
    const { old, fresh, after } = sidesOf(hunk, text.readLine);
    spend(hunk.lines.length);
    const at = placeOf(text.lines, old, { wanted: hunk.oldStart - 1 + moved, from: done }, spend);
    if (at === undefined) return { kind: 'misfit', hunk: index };
    copy(text.lines, done, at, made);
    copy(fresh, 0, fresh.length, made);
    done = at + old.length - after; // the next hunk may begin in this one's last context
    moved = at - (hunk.oldStart - 1);
  }
  copy(text.lines, done, text.lines.length, made);
  return { kind: 'applied', text: made.join(text.lineEnd) };
}

interface Text {
  readonly lines: string[];
  readonly lineEnd: '\n' | '\r\n';
  /** Its last line has no end. */
  readonly open: boolean;
  /** A line of a patch as the file would have it. */
  readonly readLine: (line: string) => string;
}

/** A patch has the line ends of whoever wrote it, the file keeps its own. */
function readText(source: string, hunks: readonly Hunk[]): Text {
  const ends = source.split('\n');
  const returns = ends.reduce((count, line) => count + (line.endsWith('\r') ? 1 : 0), 0);
  const open = ends.at(-1) !== '';
  const unreturned = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line);
  if (returns > 0 && returns === ends.length - 1) {
    return { lines: source.split('\r\n'), lineEnd: '\r\n', open, readLine: unreturned };
  }
  const patchReturns = hunks.every((hunk) => hunk.lines.every((line) => line.endsWith('\r') || line.startsWith('\\')));
  const readLine = returns === 0 && ends.length > 1 && patchReturns ? unreturned : (line: string) => line;
  return { lines: ends, lineEnd: '\n', open, readLine };
}

/** What `\ No newline at end of file` says of the file before and after; only the last hunk can. */
function endsOf(hunk: Hunk | undefined): { readonly oldOpen: boolean; readonly newOpen: boolean } {
  const before = (hunk?.lines ?? []).flatMap((line, index, lines) =>
    line.startsWith('\\') ? [lines[index - 1]?.[0]] : [],
  );
  return { oldOpen: before.includes('-'), newOpen: before.includes('+') };
}

/** The lines that a hunk expects, those that it leaves, both without the context at its end, and how long that is. */
function sidesOf(hunk: Hunk, readLine: (line: string) => string) {
  const old: string[] = [];
  const fresh: string[] = [];
  let after = 0;
  for (const line of hunk.lines) {
    const sign = line[0] ?? ' ';
    if (sign === '\\') continue;
    const content = readLine(line.slice(1));
    if (sign !== '+') old.push(content);
    if (sign !== '-') fresh.push(content);
    after = sign === ' ' ? after + 1 : 0;
  }
  fresh.length -= after;
  return { old, fresh, after };
}

function placeOf(
  lines: readonly string[],
  old: readonly string[],
  { wanted, from }: { wanted: number; from: number },
  spend: (lines: number) => void,
): number | undefined {
  const last = lines.length - old.length;
  if (wanted >= from && wanted <= last && old.every((line, index) => lines[wanted + index] === line)) return wanted;
  if (old.length === 0) return undefined; // nothing but its number says where it belongs
  spend(lines.length - from);
  return findLines(lines, old, { near: wanted, from });
}

function copy(from: readonly string[], start: number, end: number, to: string[]): void {
  for (let index = start; index < end; index += 1) to.push(from[index] ?? '');
}
