import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { bubblewrapArguments } from './bubblewrap';
import type { SandboxCommand } from './sandbox-command';

export interface Sandbox {
  /** `none`: a process group and a scrubbed environment, and nothing else between the command and the user's files. */
  readonly kind: 'bubblewrap' | 'none';
  /** For `doctor`: what was found, or why there is none. */
  readonly detail: string;
  /** The command as an argument list for runProcess. */
  readonly wrap: (command: SandboxCommand) => readonly string[];
}

export type SandboxChoice = 'auto' | 'bubblewrap' | 'none';

/** Namespaces can be forbidden to a program that is there, so it is tried and not only looked for. */
export async function findSandbox(choice: SandboxChoice): Promise<Sandbox> {
  if (choice === 'none') return none('switched off by configuration');
  const problem = await whyNoBubblewrap();
  if (problem === undefined) {
    return {
      kind: 'bubblewrap',
      detail: 'commands run in bubblewrap: no network, no files but the workspace',
      wrap: (command) => ['bwrap', ...bubblewrapArguments(command), '--', ...shellWords(command.line)],
    };
  }
  if (choice === 'bubblewrap') throw new Error(`The sandbox was demanded by configuration, and ${problem}`);
  return none(problem);
}

function none(detail: string): Sandbox {
  return { kind: 'none', detail, wrap: (command) => shellWords(command.line) };
}

/** The write to descriptor 4 says that the sandbox stood and a shell runs in it; what follows is the command's own end. */
function shellWords(line: string): readonly string[] {
  return ['/bin/sh', '-c', 'echo started >&4; exec 4>&- 5>&-; exec "$0" -c "$1"', shell(), line];
}

/** Models write bash; where there is none, a POSIX shell understands most of it. */
const shell = () => (existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh');

/** A namespace is made in milliseconds; a machine that needs longer has other troubles, ms. */
const probeTimeoutMs = 5_000;

async function whyNoBubblewrap(): Promise<string | undefined> {
  const probe = [
    '--unshare-user',
    '--unshare-pid',
    '--unshare-net',
    '--die-with-parent',
    '--ro-bind',
    '/',
    '/',
    '--proc',
    '/proc',
    'true',
  ];
  try {
    await promisify(execFile)('bwrap', probe, { timeout: probeTimeoutMs });
    return undefined;
  } catch (error) {
    if (typeof error !== 'object' || error === null) return 'bubblewrap could not be tried.';
    if ('code' in error && error.code === 'ENOENT') return 'bubblewrap (bwrap) is not installed.';
    const said = 'stderr' in error ? String(error.stderr).trim() : '';
    return `bubblewrap cannot make a namespace here: ${said || 'it gave no reason'}`;
  }
}
