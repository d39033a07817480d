import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import type { ProcessResult } from '../../activities/ports';
import {
  endProcesses,
  type ProcessMark,
  processesOf,
  signalProcess,
  tagVariable,
  waitUntilGone,
} from './end-processes';
import { createOutputWindow, type OutputWindow } from './output-window';
import { identify, type ProcessIdentity } from './process-table';

/**
 * Runs one program in a process group of its own and leaves nothing of it behind (R11.1).
 *
 *   I1  The program starts only after `onMarked` returned: a worker that dies earlier closes the gate, and it never ran.
 *   I2  Every return and every throw comes after all of its processes are dead, checked.
 *   I3  Memory is bounded whatever it prints.
 */
export interface RunRequest {
  /** Wrapped by the sandbox; its last words must begin with a write to descriptor 4, which says that it started. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Runs between the fork and the start, so that a record of the processes comes before them. */
  readonly onMarked?: (mark: ProcessMark) => Promise<void> | void;
  /** The output as it comes, for progress. */
  readonly onOutput?: (chunk: Buffer) => void;
}

/** After TERM; enough for a test runner to remove its temporary files, short enough for a person who cancels, ms. */
export const killGraceMs = 2_000;
/** Head and tail of an output, bytes; far above what a model is shown, and small in memory. */
export const maxOutputBytes = 256 * 1024;
/** A program that has printed this much prints without end; it is killed before it starves the worker's other work. */
const endlessOutputBytes = 1024 ** 3;
/** Between the end of all processes and the end of their pipe lies only what is in its buffer, ms. */
const drainMs = 1_000;

// One pipe for both streams keeps their order; descriptor 3 is the gate (I1).
const gate = 'exec 2>&1; read -r go <&3 || exit 125; exec 3<&-; exec "$@"';

export async function runProcess(request: RunRequest): Promise<ProcessResult> {
  request.signal.throwIfAborted();
  const begun = performance.now();
  const window = createOutputWindow(maxOutputBytes);
  const run = start(request, window);
  const mark = run.mark;
  if (!mark) return notStarted(await run.failed, window, begun);

  const stopped = new Stop(run, mark);
  const timer = setTimeout(() => stopped.stop('timed_out'), request.timeoutMs);
  const onAbort = () => stopped.stop('aborted');
  try {
    await request.onMarked?.(mark);
    request.signal.addEventListener('abort', onAbort);
    if (request.signal.aborted) onAbort();
    run.whenFlooded(() => stopped.stop('flooded'));
    run.open();
    const exit = await run.exited;
    await run.allGone(mark); // I2
    request.signal.throwIfAborted();
    return result(run, stopped.why, exit, window, begun);
  } finally {
    clearTimeout(timer);
    request.signal.removeEventListener('abort', onAbort);
    stopped.done();
    await run.allGone(mark); // also where recording the mark failed
  }
}

interface Exit {
  readonly code: number | null;
}

/** The running child: what it said on its side channels, and how it ended. */
class Run {
  readonly mark: ProcessMark | undefined;
  readonly exited: Promise<Exit>;
  readonly failed: Promise<string>;
  started = false;
  /** First process of the sandbox's pid namespace: the kernel has ended all others before this one is gone. */
  namespaceRoot: ProcessIdentity | undefined;
  #flooded: () => void = () => {};

  constructor(
    readonly child: ChildProcess,
    tag: string,
    readonly window: OutputWindow,
  ) {
    const leader = child.pid === undefined ? undefined : identify(child.pid);
    this.mark = leader && { leader, tag };
    this.exited = new Promise((resolve) => child.once('exit', (code) => resolve({ code })));
    this.failed = new Promise((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', () => resolve('the process ended before it could be looked at'));
    });
  }

  listen(onOutput: ((chunk: Buffer) => void) | undefined): void {
    this.child.stdout?.on('data', (chunk: Buffer) => {
      this.window.add(chunk);
      onOutput?.(chunk);
      if (this.window.bytes > endlessOutputBytes) this.#flooded();
    });
    readable(this.child, 4)?.once('data', () => {
      this.started = true;
    });
    readable(this.child, 5)?.once('data', (status: Buffer) => {
      const pid = /"child-pid": *(\d+)/.exec(status.toString())?.[1];
      this.namespaceRoot = pid === undefined ? undefined : identify(Number(pid));
    });
    for (const stream of this.child.stdio) stream?.on('error', () => {}); // EPIPE of a child that ended at once
  }

  whenFlooded(then: () => void): void {
    this.#flooded = then;
  }

  open(): void {
    const stream = this.child.stdio[3];
    if (stream && 'end' in stream) (stream as Writable).end('go\n');
  }

  /** The processes that the command itself started: a TERM to the sandbox's own would kill them without grace. */
  commandProcesses(mark: ProcessMark): readonly number[] {
    const own = new Set([mark.leader.pid, this.namespaceRoot?.pid]);
    const all = processesOf(mark);
    return this.namespaceRoot ? all.filter((pid) => !own.has(pid)) : all;
  }

  async allGone(mark: ProcessMark): Promise<void> {
    const gone = (await endProcesses(mark)) && (!this.namespaceRoot || (await waitUntilGone(this.namespaceRoot)));
    if (!gone) throw new Error(`process group ${mark.leader.pid} could not be ended`);
    await Promise.all([closed(this.child.stdout), closed(readable(this.child, 4))]);
  }
}

function start(request: RunRequest, window: OutputWindow): Run {
  const tag = randomUUID();
  const child = spawn('/bin/sh', ['-c', gate, 'sh', ...request.argv], {
    cwd: request.cwd,
    env: { ...request.env, [tagVariable]: tag },
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  const run = new Run(child, tag, window);
  run.listen(request.onOutput);
  return run;
}

type StopReason = 'timed_out' | 'aborted' | 'flooded';

/** Ends a run once: TERM, the grace, KILL. */
class Stop {
  why: StopReason | undefined;
  #kill: NodeJS.Timeout | undefined;

  constructor(
    private readonly run: Run,
    private readonly mark: ProcessMark,
  ) {}

  stop(why: StopReason): void {
    if (this.why) return;
    this.why = why;
    for (const pid of this.run.commandProcesses(this.mark)) signalProcess(pid, 'SIGTERM');
    const graceMs = why === 'flooded' ? 0 : killGraceMs;
    this.#kill = setTimeout(() => void endProcesses(this.mark), graceMs);
  }

  done(): void {
    clearTimeout(this.#kill);
  }
}

function result(run: Run, why: StopReason | undefined, exit: Exit, window: OutputWindow, begun: number): ProcessResult {
  if (!run.started && why === undefined) return notStarted('', window, begun);
  const ended = { output: window.text(), outputBytes: window.bytes, durationMs: Math.round(performance.now() - begun) };
  if (why === 'timed_out') return { end: 'timed_out', exitCode: null, ...ended };
  if (why !== undefined || exit.code === null) return { end: 'signalled', exitCode: null, ...ended };
  return { end: 'exited', exitCode: exit.code, ...ended };
}

function notStarted(why: string, window: OutputWindow, begun: number): ProcessResult {
  const output = `${window.text()}${why}`;
  return {
    end: 'not_started',
    exitCode: null,
    output,
    outputBytes: window.bytes,
    durationMs: Math.round(performance.now() - begun),
  };
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
