import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** The pids whose arguments hold `args` one after the other, apart from our own. */
export function pidsWithArguments(args: readonly string[]): readonly number[] {
  const lines = process.platform === 'linux' ? fromProc() : fromPs();
  const wanted = `\0${args.join('\0')}\0`;
  return lines.filter(({ pid, line }) => pid !== process.pid && line.includes(wanted)).map(({ pid }) => pid);
}

interface CommandLine {
  readonly pid: number;
  /** Every argument between two NUL characters. */
  readonly line: string;
}

function fromProc(): readonly CommandLine[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((name) => {
    try {
      return [{ pid: Number(name), line: `\0${readFileSync(`/proc/${name}/cmdline`, 'utf8')}` }];
    } catch {
      return []; // it ended meanwhile
    }
  });
}

function fromPs(): readonly CommandLine[] {
  const table = execFileSync('ps', ['-axww', '-o', 'pid=,args='], { encoding: 'utf8' });
  return table.split('\n').map((row) => {
    const [pid = '', ...args] = row.trim().split(' ');
    return { pid: Number(pid), line: `\0${args.join('\0')}\0` };
  });
}
