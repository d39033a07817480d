import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** One process for ever: a pid is given again, but never together with the same start. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque, equal only for the same process: boot and clock ticks on Linux, the start time elsewhere. */
  readonly started: string;
}

export interface ProcessRow extends ProcessIdentity {
  readonly parent: number;
  readonly group: number;
}

/** The process that has this pid now; undefined where there is none. A zombie runs nothing, so it counts as none. */
export function identify(pid: number): ProcessIdentity | undefined {
  const row = process.platform === 'linux' ? linuxRow(pid) : psRows(['-p', String(pid)])[0];
  return row && { pid: row.pid, started: row.started };
}

export function isAlive(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.started === identity.started;
}

/** Every process that runs now, zombies left out. */
export function allProcesses(): readonly ProcessRow[] {
  if (process.platform !== 'linux') return psRows(['-A']);
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map((pid) => linuxRow(Number(pid))).filter((row) => row !== undefined);
}

/** Whether the process was started with this in its environment; false where it may not be looked at. */
export function hasInEnvironment(pid: number, assignment: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(assignment);
  } catch {
    return false; // gone, another user's, or no Linux
  }
}

let bootId: string | undefined;
/** Changes with each boot; empty where the system has none. */
export function currentBoot(): string {
  bootId ??= readOrEmpty('/proc/sys/kernel/random/boot_id').trim();
  return bootId;
}

function linuxRow(pid: number): ProcessRow | undefined {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  // The name stands in parentheses and may hold blanks and parentheses itself, so fields count from the last one.
  const [state, parent, group, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = rest[16];
  if (ticks === undefined || state === 'Z' || state === 'X') return undefined;
  return { pid, parent: Number(parent), group: Number(group), started: `${currentBoot()}/${ticks}` };
}

function psRows(selection: readonly string[]): readonly ProcessRow[] {
  const lines = listWithPs(selection).split('\n');
  return lines.flatMap((line) => {
    const [pid, parent, group, state, ...started] = line.trim().split(/\s+/);
    if (started.length === 0 || state === undefined || state.startsWith('Z')) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), started: started.join(' ') }];
  });
}

function listWithPs(selection: readonly string[]): string {
  const columns = ['-o', 'pid=', '-o', 'ppid=', '-o', 'pgid=', '-o', 'stat=', '-o', 'lstart='];
  try {
    return execFileSync('ps', [...columns, ...selection], {
      encoding: 'utf8',
      env: { LC_ALL: 'C', PATH: '/bin:/usr/bin' },
    });
  } catch {
    return ''; // ps exits 1 where nothing matches
  }
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
