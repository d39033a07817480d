import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ModelConfig } from '../../src/models/models-config';
import type { Ways } from './ways';

/** What a worker process is told; JSON. */
export interface WorkerOrders extends Ways {
  readonly model: ModelConfig;
  /** File of the bundled workflows. */
  readonly bundle: string;
  readonly dataDir: string;
  /** The folder of the object store. */
  readonly objects: string;
  /** The name of its host, where there are several. */
  readonly host?: string;
  /** File to which its tools append: `begin KEY` and `end KEY`. */
  readonly effects: string;
  /** Absolute paths of tool modules that it loads beside its own tools. */
  readonly modules?: readonly string[];
}

export interface WorkerProcess {
  readonly pid: number;
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
  /** Kills it, and resolves when it is gone. */
  kill(): Promise<void>;
}

/** Starts test/support/worker-main.ts; resolves when it polls. It ends with this process. */
export async function startWorkerProcess(
  orders: WorkerOrders,
  env: Readonly<Record<string, string>> = {},
): Promise<WorkerProcess> {
  const child = fork(join(__dirname, 'worker-main.ts'), [JSON.stringify(orders)], {
    env: { ...process.env, ...env },
    execArgv: ['-r', join(__dirname, 'register-swc.cjs')],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await Promise.race([once(child, 'message'), once(child, 'exit').then(([code]) => diedEarly(code))]);
  return {
    pid: pidOf(child),
    signal: (name) => child.kill(name),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('The process did not start.');
  return pid;
}

function diedEarly(code: unknown): never {
  throw new Error(`The worker process ended with ${String(code)} before it polled.`);
}
