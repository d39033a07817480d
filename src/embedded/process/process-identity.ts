import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** One process for ever: the kernel gives a pid again, but not together with the same start time. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque; equal only for the same process. Clock ticks since boot on Linux, `ps`'s start time elsewhere. */
  readonly startedAt: string;
}

/** The process that has this pid now, or undefined where there is none (a zombie counts as none). */
export function identify(pid: number): ProcessIdentity | undefined {
  const startedAt = process.platform === 'linux' ? startTicks(pid) : startTime(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/** Throws where the system does not tell. */
export function ownProcess(): ProcessIdentity {
  const own = identify(process.pid);
  if (!own) throw new Error('This process cannot tell when it started.');
  return own;
}

export function isAlive(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.startedAt === identity.startedAt;
}

function startTicks(pid: number): string | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined; // gone
  }
  // The command's name stands in parentheses and may hold both blanks and parentheses: count from the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  return state === 'Z' || state === 'X' ? undefined : fields[19];
}

function startTime(pid: number): string | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { LC_ALL: 'C', PATH: '/bin:/usr/bin' },
    });
    const [state = 'Z', ...started] = line.trim().split(/\s+/);
    return state.startsWith('Z') ? undefined : started.join(' ');
  } catch {
    return undefined; // ps says nothing about a process that is gone
  }
}
