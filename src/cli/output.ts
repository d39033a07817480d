import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Text in a style on a terminal, plain in a pipe and where NO_COLOR asks for it. */
export function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

/** One line for a person. */
export function say(line = ''): void {
  process.stdout.write(`${line}\n`);
}

/** One line about the work itself: it belongs to no result, so it stays out of pipes. */
export function note(line: string): void {
  process.stderr.write(`${styleText('dim', line, { stream: process.stderr })}\n`);
}

/** The one document of `--json`. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** A table on a terminal, tab-separated lines in a pipe. Loads its package only here. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  if (!process.stdout.isTTY) {
    for (const row of [head, ...rows]) say(row.join('\t'));
    return;
  }
  const Table: typeof import('cli-table3') = require('cli-table3');
  const table = new Table({ head: [...head], style: { head: ['bold'], border: ['dim'] } });
  table.push(...rows.map((row) => [...row]));
  say(table.toString());
}
