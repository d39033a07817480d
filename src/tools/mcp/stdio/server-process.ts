import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram } from './find-program';

/** What a server has to end by itself once its input has ended, ms: longer than it takes, short for whoever waits. */
const inputEndGraceMs = 2_000;
/** What a server has after SIGTERM, ms: as much again, for one that has something to put down. */
const termGraceMs = 2_000;
/** Between the end of a program and that of its output lies only what is in the pipes; past this somebody else holds them, ms. */
const drainMs = 250;
/** After SIGKILL only the kernel is at work; past this it hangs in a device, and nobody can help, ms. */
const afterKillMs = 1_000;

/**
 * Starts a program beside a watch of its own group. The watch reads a pipe from this process that nobody writes to: it ends
 * when this process ends, however that happens, and then the group is ended. It holds none of the server's own pipes, is
 * nobody's child (a server that waits for its children shall not wait for it), and keeps the group's number from being
 * given again until the group was killed.
 */
const watched = `
( { trap '' TERM HUP INT; read -r _ <&3; kill -TERM 0; sleep ${termGraceMs / 1_000}; kill -KILL 0; } </dev/null >/dev/null 2>&1 & )
exec 3<&-
exec "$@"`;

export interface ServerProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** All of it: nothing of ours reaches a server by accident. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * A server with all that it starts: wrappers (`npx`, `sh -c`) are killed and leave the real one behind, so the group is
 * what lives and ends. A process that opens a group of its own is not found.
 */
export class ServerProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly pid: number | undefined;
  /** Resolves when the program has ended, whoever ended it, and nothing of its group is left. */
  readonly gone: Promise<void>;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  #swept = false;

  private constructor(child: ChildProcessByStdio<Writable, Readable, Readable>) {
    this.#child = child;
    this.stdin = child.stdin;
    this.stdout = child.stdout;
    this.stderr = child.stderr;
    this.pid = child.pid;
    for (const stream of child.stdio) stream?.on('error', () => {}); // EPIPE of one that ended; its end is what counts
    this.gone = this.#leave(Promise.all([closed(child.stdout), closed(child.stderr)]));
  }

  /** Rejects with the system's error: ENOENT, EACCES. */
  static async start({ command, args, cwd, env }: ServerProgram): Promise<ServerProcess> {
    const program = findProgram(command, cwd, env['PATH'] ?? '');
    const child = spawn('/bin/sh', ['-c', watched, 'sh', program, ...args], {
      cwd,
      env: { ...env },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    });
    await once(child, 'spawn');
    return new ServerProcess(child);
  }

  /** Ends it by the end of its input, then SIGTERM, then SIGKILL. Resolves within 5 s; can be called again. */
  async end(): Promise<void> {
    this.stdin.end();
    if (await this.#goneWithin(inputEndGraceMs)) return;
    this.#signal('SIGTERM');
    if (await this.#goneWithin(termGraceMs)) return;
    this.#sweep();
    await this.#goneWithin(afterKillMs);
  }

  async #leave(read: Promise<unknown>): Promise<void> {
    await once(this.#child, 'exit');
    if (!(await within(read, drainMs))) {
      this.#signal('SIGTERM'); // what it left running holds its pipes
      await within(read, termGraceMs);
    }
    this.#sweep();
  }

  /** Nothing of the group runs after this, the watch included, and nothing of it holds this process. */
  #sweep(): void {
    this.#signal('SIGKILL');
    this.#swept = true;
    for (const stream of this.#child.stdio) stream?.destroy();
    this.#child.unref();
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#swept || this.pid === undefined) return; // the number may be another group's by now
    try {
      process.kill(-this.pid, signal);
    } catch {
      // nothing is left of it
    }
  }

  #goneWithin(limitMs: number): Promise<boolean> {
    return within(this.gone, limitMs);
  }
}

const closed = async (stream: Readable) => {
  if (!stream.closed) await once(stream, 'close');
};

async function within(what: Promise<unknown>, limitMs: number): Promise<boolean> {
  const over = new AbortController();
  const late = sleep(limitMs, false, { signal: over.signal }).catch(() => false);
  const inTime = await Promise.race([what.then(() => true), late]);
  over.abort();
  return inTime;
}
