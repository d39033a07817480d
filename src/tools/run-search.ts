import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { errnoOf } from '../domain/failure/errno-of';

export type SearchProgram = 'ripgrep' | 'git';
export interface Search {
  readonly root: string;
  readonly pattern: string;
  /** From the root. */
  readonly path: string;
  readonly maxMatches: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}
export type SearchOutcome =
  /** `path:line:text`, in the order of paths. */
  | { readonly kind: 'found'; readonly lines: readonly string[]; readonly more: boolean }
  | { readonly kind: 'bad_pattern'; readonly why: string; readonly program: SearchProgram }
  | { readonly kind: 'timed_out' };

/**
 * ripgrep where it is there, else git, which always is. A process of its own, for a pattern can be made to run for ever,
 * and in this one it would stop everybody's work.
 */
export async function runSearch(search: Search): Promise<SearchOutcome> {
  try {
    return await searchWith('ripgrep', search);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    return searchWith('git', search);
  }
}

function commandOf(program: SearchProgram, { pattern, path }: Search): readonly [string, ...string[]] {
  switch (program) {
    case 'ripgrep':
      return ['rg', ...ripgrepOptions, '-e', pattern, '--', path];
    case 'git': // without a repository: what `.git` in a worktree says may be a command's
      return ['git', '--git-dir=/nonexistent', ...gitOptions, '-e', pattern, '--', path, ...gitExcludes];
  }
}

/** Nobody's configuration, no links, and sorted, so that the same tree gives the same answer. */
// biome-ignore format: a list
const ripgrepOptions = [
  '--no-config', '--hidden', '--no-require-git', '--no-ignore-global', '--no-ignore-parent', '--sort=path',
  '--glob=!.git', '--glob=!node_modules', '--glob=!.venv',
  '--line-number', '--no-heading', '--with-filename', '--color=never', '--max-columns=1000', '--max-columns-preview',
];
// biome-ignore format: a list
const gitOptions = [
  '-c', 'core.fsmonitor=false', '-c', 'core.excludesFile=/dev/null',
  'grep', '--no-index', '--exclude-standard', '--line-number', '-I', '--extended-regexp', '--no-color',
];
const gitExcludes = [':(exclude,glob)**/node_modules/**', ':(exclude,glob)**/.venv/**'];

export function searchWith(program: SearchProgram, search: Search): Promise<SearchOutcome> {
  const [file, ...args] = commandOf(program, search);
  search.signal.throwIfAborted();
  const timeout = AbortSignal.timeout(search.timeoutMs);
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: search.root,
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: AbortSignal.any([search.signal, timeout]),
      killSignal: 'SIGKILL',
    });
    const lines: string[] = [];
    let more = false;
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      if (said.length < maxComplaint) said += chunk.toString('utf8');
    });
    let bytes = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes <= maxSearchBytes) return;
      more = true;
      child.kill('SIGKILL');
      child.stdout.destroy();
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (lines.length < search.maxMatches) lines.push(line.replace(/^\.\//, ''));
      else {
        more = true;
        child.kill('SIGKILL');
      }
    });
    child.once('error', (error) => {
      if (errnoOf(error) === 'ENOENT') reject(error);
    });
    child.once('close', (code) => {
      if (search.signal.aborted) reject(search.signal.reason);
      else if (timeout.aborted) resolve({ kind: 'timed_out' });
      else if (code !== null && code > 1 && lines.length === 0)
        resolve({ kind: 'bad_pattern', why: said.trim().slice(0, maxComplaint), program });
      else resolve({ kind: 'found', lines, more });
    });
  });
}

/** Of the program's output: git cuts no line, and a file may be one line of gigabytes. */
const maxSearchBytes = 8 * 1024 ** 2;
/** Characters of what the search program says against a pattern; its first lines name the place. */
const maxComplaint = 500;
