import { cpus } from 'node:os';
import Table from 'cli-table3';

export interface Target {
  readonly name: string;
  readonly value: number;
  readonly atMost: number;
  readonly unit: string;
}
export interface ReportTable {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}
export interface Report {
  readonly bench: string;
  readonly tables: readonly ReportTable[];
  readonly targets: readonly Target[];
  /** The figures themselves, for programs. */
  readonly data: unknown;
}

/** Prints tables for people, or one JSON document. */
export function printReport(report: Report, json: boolean): void {
  const targets = report.targets.map((target) => ({ ...target, met: target.value <= target.atMost }));
  if (json) {
    const machine = { node: process.version, cores: cpus().length, cpu: cpus()[0]?.model };
    const { bench, data } = report;
    process.stdout.write(
      `${JSON.stringify({ bench, at: new Date().toISOString(), machine, data, targets }, null, 2)}\n`,
    );
    return;
  }
  for (const table of report.tables) print(table);
  if (targets.length === 0) return;
  print({
    title: 'Targets',
    head: ['', 'measured', 'at most', ''],
    rows: targets.map(({ name, value, atMost, unit, met }) => [
      name,
      `${shown(value)} ${unit}`,
      `${shown(atMost)} ${unit}`,
      met ? 'met' : 'NOT MET',
    ]),
  });
}

function print({ title, head, rows }: ReportTable): void {
  const table = new Table({
    head: [...head],
    colAligns: head.map((_, column) => (column === 0 ? 'left' : 'right')),
    style: { head: [], border: [] },
  });
  for (const row of rows) table.push(row.map((cell) => (typeof cell === 'number' ? shown(cell) : cell)));
  process.stdout.write(`\n${title}\n${table.toString()}\n`);
}

/** Three digits that count, and no more. */
export function shown(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 100 || Number.isInteger(value)) return Math.round(value).toLocaleString('en');
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}
