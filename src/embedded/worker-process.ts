import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { endProcess } from './process/end-process';
import { type KeptProcess, keepRunning } from './process/keep-running';
import { describeExit, type ManagedProcess, type ProcessExit } from './process/managed-process';
import { identify } from './process/process-identity';
import { readyMessage } from './report-ready';

/** Loading the SDK and the bundle takes about a second; on a busy machine, several. */
const readyTimeoutMs = 60_000;

export interface WorkerOptions {
  /** The file that node runs; it calls `exitWithParent` first and `reportReady` when it polls. */
  readonly entry: string;
  readonly args?: readonly string[];
  /** The whole environment of the worker; default: ours. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Its output is appended here. */
  readonly logFile: string;
  /** How long a worker may finish what it does after SIGTERM, before SIGKILL. */
  readonly graceMs: number;
  readonly tell: (text: string) => void;
}

/**
 * Runs the worker as a child and starts it again at once when it dies, with growing waits where it keeps dying young.
 * Resolves when the first one is ready; throws where it ends before.
 */
export function startWorker(options: WorkerOptions): Promise<KeptProcess> {
  return keepRunning('The worker', () => forkWorker(options), { tell: options.tell });
}

async function forkWorker({ entry, args = [], env, logFile, graceMs }: WorkerOptions): Promise<ManagedProcess> {
  mkdirSync(dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'a', 0o600);
  // A session of its own: Ctrl-C reaches only us, and we stop it in order.
  const options = { detached: true, stdio: ['ignore', log, log, 'ipc'] as ['ignore', number, number, 'ipc'] };
  const child = fork(entry, [...args], { ...options, ...(env === undefined ? {} : { env: { ...env } }) });
  closeSync(log);
  const exited = new Promise<ProcessExit>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  const ready = new Promise<'ready'>((resolve) =>
    child.on('message', (message) => message === readyMessage && resolve('ready')),
  );
  await once(child, 'spawn');
  const identity = child.pid === undefined ? undefined : identify(child.pid);
  if (identity === undefined) throw new Error(`The worker ended as soon as it started; see ${logFile}`);
  const stop = () => endProcess(identity, [{ signal: 'SIGTERM', graceMs }]);

  const timeout = new AbortController();
  const limit = new Promise<'late'>((resolve) => {
    const timer = setTimeout(() => resolve('late'), readyTimeoutMs);
    timeout.signal.addEventListener('abort', () => clearTimeout(timer));
  });
  const first = await Promise.race([ready, exited, limit]);
  timeout.abort();
  if (first === 'ready') return { identity, exited, stop };
  await stop();
  if (first === 'late') throw new Error(`The worker was not ready in ${readyTimeoutMs} ms; see ${logFile}`);
  throw new Error(`The worker ended with ${describeExit(first)} before it was ready; see ${logFile}`);
}
