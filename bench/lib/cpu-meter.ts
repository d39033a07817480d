import { readdirSync, readFileSync } from 'node:fs';

/** Ticks of a second in /proc/<pid>/stat; fixed by Linux for user space. */
const ticksPerSecond = 100;

interface Stat {
  readonly parent: number;
  readonly ownTicks: number;
  /** Of children that have ended and were waited for. */
  readonly endedTicks: number;
}

/** Processor time of a process so far, ms; `tree` adds its children, those that have ended included. Linux only. */
export function cpuMs(pid: number, tree: 'alone' | 'tree' = 'alone'): number {
  const own = readStat(pid);
  if (own === undefined) return Number.NaN;
  const ticks = tree === 'alone' ? own.ownTicks : own.ownTicks + own.endedTicks + ticksOfChildren(pid);
  return (ticks * 1_000) / ticksPerSecond;
}

function ticksOfChildren(pid: number): number {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readStat(Number(name)))
    .filter((stat) => stat !== undefined && stat.parent === pid)
    .reduce((sum, stat) => sum + (stat?.ownTicks ?? 0) + (stat?.endedTicks ?? 0), 0);
}

function readStat(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command, in brackets, may itself hold spaces and brackets; what follows is counted from field 3.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const field = (number: number) => Number(fields[number - 3]);
    return { parent: field(4), ownTicks: field(14) + field(15), endedTicks: field(16) + field(17) };
  } catch {
    return undefined; // it has ended
  }
}
