import { spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { withoutCredentials } from '../../domain/contract/without-credentials';
import { workspaceError } from '../workspace-errors';

/** Where a git command works. Never found by looking around: an agent can put a `.git` of its own into its tree. */
export interface GitPlace {
  readonly gitDir: string;
  readonly workTree?: string;
  readonly indexFile?: string;
  readonly excludesFile?: string;
}

export interface GitOutput {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface GitOptions {
  readonly signal?: AbortSignal;
  readonly cwd?: string;
  /** The user's own configuration too: a remote is reached by their credentials and proxies. */
  readonly remote?: boolean;
  /** Of a commit that is made; the epoch where there is none, so that equal trees are equal commits. */
  readonly date?: Date;
}

/** Git answers local questions in milliseconds; one that hangs waits for a lock or a terminal that never comes, ms. */
const localTimeoutMs = 120_000;
/** A first clone of a very large repository over a slow line, ms. */
const remoteTimeoutMs = 1_800_000;
/** Output beyond it is no answer that this code asks for, bytes. */
const maxGitOutputBytes = 64 * 1024 ** 2;

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Git {
  /** Returns what git said, whatever its exit code. Rejects with the signal's reason once aborted. */
  readonly run: (place: GitPlace | undefined, args: readonly string[], options?: GitOptions) => Promise<GitOutput>;
  /** As `run`, and throws a WorkspaceError where git fails. Returns its standard output. */
  readonly ok: (place: GitPlace | undefined, args: readonly string[], options?: GitOptions) => Promise<string>;
  /** Several git commands in one process start: a shell script with `$1` … in git's environment. */
  readonly script: (place: GitPlace, script: string, args: readonly string[]) => Promise<GitOutput>;
  /** As `script`, and returns the bytes that it writes; undefined where they would be more than `maxBytes`. */
  readonly bytes: (
    place: GitPlace,
    script: string,
    args: readonly string[],
    options: { readonly maxBytes: number; readonly signal: AbortSignal },
  ) => Promise<Buffer | undefined>;
}

/** `env` is the worker's own: the program's PATH, and for remotes the user's proxies and agents. */
export function createGit(env: Environment): Git {
  const run: Git['run'] = (place, args, options = {}) => runTool(env, 'git', args, place, options);
  return {
    run,
    ok: async (place, args, options) => okOutput(await run(place, args, options), args[0] ?? ''),
    script: (place, script, args) => runTool(env, '/bin/sh', ['-c', script, 'sh', ...args], place, {}),
    async bytes(place, script, args, { maxBytes, signal }) {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const collect: Collect = (stream) => {
        stream.on('data', (chunk: Buffer) => {
          bytes += chunk.byteLength;
          if (bytes <= maxBytes) chunks.push(chunk); // the rest is read and dropped, so that the program can end
        });
        return () => '';
      };
      okOutput(await runTool(env, '/bin/sh', ['-c', script, 'sh', ...args], place, { signal }, collect), 'bundle');
      return bytes <= maxBytes ? Buffer.concat(chunks) : undefined;
    },
  };
}

function okOutput(output: GitOutput, what: string): string {
  if (output.code === 0) return output.stdout;
  throw gitFailure(output, what);
}

/** Git says why in words only. Both codes are of one class (R8.2), so the words choose no more than what a person is told. */
export function gitFailure(output: GitOutput, what: string): Error {
  if (/No space left on device|Disk quota exceeded/.test(output.stderr)) {
    return workspaceError(
      'DISK_FULL',
      `The disk of the workspace is full (git ${what}).`,
      'Make room on the disk of the data folder; then `holdfast say ATTEMPT "go on"` lets it go on.',
    );
  }
  return workspaceError(
    'GIT_FAILED',
    `git ${what} failed: ${gitSaid(output)}`,
    'Read what git said; the data folder may be damaged or not writable.',
  );
}

/** The end of what git says is where it says why, characters. */
const saidMaxChars = 1_000;

/**
 * For a person. Git repeats the addresses that it was configured with, and a token may stand in one; they are cleaned
 * before the text is cut, since half an address does not look like one (R10.4).
 */
export function gitSaid({ stderr, code }: GitOutput): string {
  return withoutCredentials(stderr).trim().slice(-saidMaxChars) || `exit code ${code}`;
}

function runTool(
  own: Environment,
  program: string,
  args: readonly string[],
  place: GitPlace | undefined,
  options: GitOptions,
  collectOut: Collect = collect,
): Promise<GitOutput> {
  options.signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: { ...gitEnvironment(own, place, options.remote ?? false), ...dates(options.date) },
      cwd: options.cwd ?? place?.workTree ?? place?.gitDir ?? '/',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: options.remote ? remoteTimeoutMs : localTimeoutMs,
      ...(options.signal ? { signal: options.signal } : {}),
    });
    const stdout = collectOut(child.stdout);
    const stderr = collect(child.stderr);
    child.once('error', (error) => reject(options.signal?.aborted ? options.signal.reason : error));
    child.once('close', (code) => {
      if (options.signal?.aborted) reject(options.signal.reason);
      else resolve({ code: code ?? 1, stdout: stdout(), stderr: stderr() });
    });
  });
}

type Collect = (stream: NodeJS.ReadableStream) => () => string;

function collect(stream: NodeJS.ReadableStream): () => string {
  const decoder = new StringDecoder('utf8');
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    if (text.length < maxGitOutputBytes) text += decoder.write(chunk);
  });
  return () => text;
}

/** Settings that keep a user's, a machine's or a repository's configuration out of what snapshots hold. */
const settings: readonly (readonly [string, string])[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.autocrlf', 'false'],
  ['core.attributesFile', '/dev/null'],
  ['core.fsync', 'loose-object,reference,index'], // a snapshot that the ledger names survives a power cut
  ['core.quotePath', 'false'],
  ['commit.gpgSign', 'false'],
  ['gc.auto', '0'], // nothing that a ledger row names is ever collected
  ['maintenance.auto', 'false'],
  ['safe.directory', '*'], // the task's author named the repository, whoever owns it
  ['submodule.recurse', 'false'],
  ['advice.addEmbeddedRepo', 'false'],
  ['protocol.ext.allow', 'never'],
];

const identity = {
  GIT_AUTHOR_NAME: 'Holdfast',
  GIT_AUTHOR_EMAIL: 'holdfast@localhost',
  GIT_COMMITTER_NAME: 'Holdfast',
  GIT_COMMITTER_EMAIL: 'holdfast@localhost',
};

/** One date for every snapshot: the same tree on the same base is the same commit, on any machine. */
function dates(date = new Date(0)): Record<string, string> {
  const text = `@${Math.floor(date.getTime() / 1_000)} +0000`;
  return { GIT_AUTHOR_DATE: text, GIT_COMMITTER_DATE: text };
}

function gitEnvironment(own: Environment, place: GitPlace | undefined, remote: boolean): Record<string, string> {
  const pairs = [...settings, ['core.excludesFile', place?.excludesFile ?? '/dev/null'] as const];
  const configuration = Object.fromEntries(
    pairs.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  );
  return {
    ...(remote
      ? withoutGitVariables(own)
      : { PATH: own['PATH'] ?? '', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }),
    ...identity,
    ...configuration,
    GIT_CONFIG_COUNT: String(pairs.length),
    GIT_TERMINAL_PROMPT: '0',
    // The operator's program answers for a remote; without one, nothing does, so that a missing password fails at once.
    GIT_ASKPASS: (remote && own['GIT_ASKPASS']) || 'true',
    LC_ALL: 'C',
    ...(place ? { GIT_DIR: place.gitDir } : {}),
    ...(place?.workTree === undefined ? {} : { GIT_WORK_TREE: place.workTree }),
    ...(place?.indexFile === undefined ? {} : { GIT_INDEX_FILE: place.indexFile }),
  };
}

/** A worker that was started from a git hook has variables that point at another repository. */
function withoutGitVariables(own: Environment): Record<string, string> {
  const kept = Object.entries(own).filter(
    ([name]) => !/^GIT_(DIR|WORK_TREE|INDEX_FILE|PREFIX|OBJECT_DIRECTORY|CONFIG_.*)$/.test(name),
  );
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
