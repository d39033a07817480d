import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { endProcess } from './process/end-process';
import { type KeptProcess, keepRunning } from './process/keep-running';
import { lastWords } from './process/last-words';
import { describeExit, type ManagedProcess, type ProcessExit } from './process/managed-process';
import { openLog } from './process/open-log';
import { identify } from './process/process-identity';
import { tail } from './process/tail';
import { readyMessage } from './report-ready';
import { watchBeats } from './watch-beats';

/** Loading the SDK and the bundle takes about a second; on a busy machine, several. */
const readyTimeoutMs = 60_000;

/**
 * A worker whose event loop stood still so long will not come back, and holds up everybody's work. Above what a machine
 * under load, or a person who stops and continues it, makes it silent; its leases are gone after 3 s in any case.
 */
const childSilentMs = 15_000;

export interface ChildOptions {
  /** What people call it: the worker, the gateway. */
  readonly name: 'worker' | 'gateway';
  /** The file that node runs; it calls `exitWithParent` first and `reportReady` when it polls. */
  readonly entry: string;
  readonly args?: readonly string[];
  /** The whole environment of the child; default: ours. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Its output is appended here. */
  readonly logFile: string;
  /** How long a child may finish what it does after SIGTERM, before SIGKILL. */
  readonly graceMs: number;
  /** Silence after which a child is killed and another one started, ms; default `childSilentMs`. */
  readonly silentMs?: number;
  readonly tell: (text: string) => void;
}

/** A child that did not come up; its own words say why. */
export class ChildNotReady extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ChildNotReady';
  }
}

/**
 * Runs a part of the installation as a child and starts it again at once when it dies, with growing waits where it keeps dying young;
 * one that lives and does nothing is killed first. Resolves when the first one is ready; throws ChildNotReady where it
 * ends before.
 */
export function startChild(options: ChildOptions): Promise<KeptProcess> {
  return keepRunning(`The ${options.name}`, (stopping) => startOne(options, stopping), { tell: options.tell });
}

async function startOne(options: ChildOptions, stopping: AbortSignal): Promise<ManagedProcess> {
  const { child, ready, watch } = await forkChild(options);
  const first = await Promise.race([ready, child.exited, whenAborted(stopping, readyTimeoutMs)]);
  if (first === 'ready') {
    watch();
    return child;
  }
  await child.stop();
  const what =
    first === 'aborted'
      ? `was not ready in ${readyTimeoutMs} ms`
      : `ended with ${describeExit(first)} before it was ready`;
  throw new ChildNotReady(`The ${options.name} ${what}:\n${lastWords(options.logFile, `${options.name}: `)}`);
}

interface Forked {
  readonly child: ManagedProcess;
  readonly ready: Promise<'ready'>;
  /** From now on its silence ends it. */
  readonly watch: () => void;
}

async function forkChild(options: ChildOptions): Promise<Forked> {
  const { name, entry, args = [], env, logFile, graceMs, silentMs = childSilentMs, tell } = options;
  const log = openLog(logFile);
  const forked = fork(entry, [...args], {
    // A session of its own: Ctrl-C reaches only us, and we stop it in order.
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
    ...(env !== undefined && { env: { ...env } }),
  });
  closeSync(log);
  const exited = new Promise<ProcessExit>((resolve) =>
    forked.once('exit', (code, signal) => resolve({ code, signal })),
  );
  const ready = new Promise<'ready'>((resolve) =>
    forked.on('message', (message) => message === readyMessage && resolve('ready')),
  );
  await once(forked, 'spawn');
  const identity = forked.pid === undefined ? undefined : identify(forked.pid);
  if (identity === undefined) throw new Error(`The ${name} ended as soon as it started:\n${tail(logFile)}`);
  const watch = () => {
    const unwatch = watchBeats(forked, silentMs, () => {
      tell(`The ${name} has stood still for ${silentMs / 1_000} s; killing it`);
      forked.kill('SIGKILL'); // it would not hear anything milder
    });
    void exited.then(unwatch);
  };
  const stop = () => endProcess(identity, [{ signal: 'SIGTERM', graceMs }]);
  return { child: { identity, exited, stop }, ready, watch };
}

function whenAborted(stopping: AbortSignal, limitMs: number): Promise<'aborted'> {
  const either = AbortSignal.any([stopping, AbortSignal.timeout(limitMs)]);
  return new Promise((resolve) => {
    if (either.aborted) resolve('aborted');
    else either.addEventListener('abort', () => resolve('aborted'), { once: true });
  });
}
