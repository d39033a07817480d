import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { endProcesses, type ProcessMark, processesOf, tagVariable, waitUntilGone } from './end-processes';
import type { OutputWindow } from './output-window';
import { identify, type ProcessIdentity } from './process-table';

/** A program that has printed this much prints without end; it is killed before it starves the worker's other work. */
const endlessOutputBytes = 1024 ** 3;
/** Between the end of all processes and the end of their output lies only what is in its buffers, ms. */
const drainMs = 5_000;

/**
 * One stream for both outputs keeps their order. What node gives a child for a stream is a socket, which no program can
 * open again as /dev/stderr, so a relay stands between it and a pipe. Descriptor 3 is the gate: who dies before it is
 * opened has started nothing. 4 says who relays and that the program started, 5 is the sandbox's own.
 */
const gates = {
  bash: 'exec > >(exec cat 3<&- 4>&- 5>&-) 2>&1; echo "relay $!" >&4; read -r go <&3 || exit 125; exec 3<&-; exec "$@"',
  sh: 'exec 2>&1; read -r go <&3 || exit 125; exec 3<&-; exec "$@"',
};

/** Older shells do not say who relays, and its end could not be told from a leftover's. */
const shellWithRelay = '/bin/bash';
const hasRelay = () => process.platform === 'linux' && existsSync(shellWithRelay);

export interface ChildRequest {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly onOutput?: (chunk: Buffer) => void;
}

/** A child behind its gate: what it says on its side channels, and how it ends. */
export class ChildRun {
  /** Undefined where the process could not be made. */
  readonly mark: ProcessMark | undefined;
  readonly exited: Promise<{ readonly code: number | null }>;
  /** Why there is no process. */
  readonly failed: Promise<string>;
  started = false;
  readonly #child: ChildProcess;
  #relay: number | undefined;
  /** First process of the sandbox's pid namespace: the kernel has ended all others before this one is gone. */
  #namespaceRoot: ProcessIdentity | undefined;
  #flooded: () => void = () => {};

  constructor(request: ChildRequest, window: OutputWindow) {
    const tag = randomUUID();
    const [shell, gate] = hasRelay() ? [shellWithRelay, gates.bash] : ['/bin/sh', gates.sh];
    const child = spawn(shell, ['-c', gate, 'sh', ...request.argv], {
      cwd: request.cwd,
      env: { ...request.env, [tagVariable]: tag },
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore', 'pipe', 'pipe', 'pipe'],
    });
    const leader = child.pid === undefined ? undefined : identify(child.pid);
    this.#child = child;
    this.mark = leader && { leader, tag };
    this.exited = new Promise((resolve) => child.once('exit', (code) => resolve({ code })));
    this.failed = new Promise((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', () => resolve('the process ended before it could be looked at'));
    });
    if (!leader) child.kill('SIGKILL'); // it waits at the gate, and nobody could find its children
    this.#listen(window, request.onOutput);
  }

  whenFlooded(then: () => void): void {
    this.#flooded = then;
  }

  open(): void {
    const stream = this.#child.stdio[3];
    if (stream && 'end' in stream) (stream as Writable).end('go\n');
  }

  /** The processes that the command itself started: a TERM to the sandbox's own would kill them without grace. */
  commandProcesses(mark: ProcessMark): readonly number[] {
    const own = new Set([this.#relay, ...(this.#namespaceRoot ? [mark.leader.pid, this.#namespaceRoot.pid] : [])]);
    return processesOf(mark).filter((pid) => !own.has(pid));
  }

  /** All but the relay, which still has to hand on what they wrote. */
  kill(mark: ProcessMark): Promise<boolean> {
    return endProcesses(mark, this.#relay);
  }

  /** Returns once every process is dead and all of the output was read. Throws where one cannot be ended. */
  async allGone(mark: ProcessMark): Promise<void> {
    const ended = (await this.kill(mark)) && (!this.#namespaceRoot || (await waitUntilGone(this.#namespaceRoot)));
    await Promise.all([closed(this.#child.stdout), closed(readable(this.#child, 4))]);
    if (ended && (await endProcesses(mark))) return;
    throw new Error(`process group ${mark.leader.pid} could not be ended`);
  }

  #listen(window: OutputWindow, onOutput: ((chunk: Buffer) => void) | undefined): void {
    this.#child.stdout?.on('data', (chunk: Buffer) => {
      window.add(chunk);
      onOutput?.(chunk);
      if (window.bytes > endlessOutputBytes) this.#flooded();
    });
    readable(this.#child, 4)?.on('data', (said: Buffer) => {
      this.#relay ??= numberAfter('relay ', said);
      this.started ||= said.includes('started');
    });
    readable(this.#child, 5)?.once('data', (status: Buffer) => {
      const pid = numberAfter('"child-pid": ', status);
      this.#namespaceRoot = pid === undefined ? undefined : identify(pid);
    });
    for (const stream of this.#child.stdio) stream?.on('error', () => {}); // EPIPE of a child that ended at once
  }
}

function numberAfter(words: string, said: Buffer): number | undefined {
  const digits = new RegExp(`${words}(\\d+)`).exec(said.toString())?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function readable(child: ChildProcess, fd: number): Readable | undefined {
  const stream = child.stdio[fd];
  return stream && 'read' in stream ? (stream as Readable) : undefined;
}

/** Nobody writes any more, so the pipe ends once it is read; the bound is for a process that nobody could find. */
async function closed(stream: Readable | null | undefined): Promise<void> {
  if (!stream || stream.closed) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => stream.destroy(), drainMs);
    stream.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
