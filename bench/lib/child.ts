import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';

/** Loading the SDK takes a second; on a busy machine, several. */
const readyTimeoutMs = 60_000;
/** A worker lets what runs end; past this it hangs. */
const stopGraceMs = 15_000;

export interface Child {
  readonly pid: number;
  /** The first message that it sent. */
  readonly hello: unknown;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
  /** SIGTERM; resolves when it is gone. */
  stop(): Promise<void>;
}

/** Forks a node process and waits for its first message. Its output goes to `logFile`. */
export async function startChild(
  entry: string,
  argument: unknown,
  { logFile, execArgv = [] }: { logFile: string; execArgv?: readonly string[] },
): Promise<Child> {
  const log = openSync(logFile, 'a', 0o600);
  const child = fork(entry, [JSON.stringify(argument)], {
    stdio: ['ignore', log, log, 'ipc'],
    execArgv: [...execArgv],
  });
  closeSync(log);
  const exited = once(child, 'exit');
  const hello = await Promise.race([
    once(child, 'message', { signal: AbortSignal.timeout(readyTimeoutMs) }).then(([message]) => ({ message })),
    exited.then(([code, signal]) => {
      throw new Error(`${entry} ended with ${signal ?? code} before it was ready; see ${logFile}`);
    }),
  ]);
  const { pid } = child;
  if (pid === undefined) throw new Error(`${entry} has no pid`);
  // Nobody would answer what the benchmark then waits for; what it has started ends with it.
  const died = (code: number | null, signal: string | null) => {
    throw new Error(`${entry} ended with ${signal ?? code}; see ${logFile}`);
  };
  child.once('exit', died);
  return {
    pid,
    hello: hello.message,
    async kill() {
      child.off('exit', died);
      child.kill('SIGKILL');
      await exited;
    },
    async stop() {
      child.off('exit', died);
      await stop(child, exited);
    },
  };
}

async function stop(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  const late = setTimeout(() => child.kill('SIGKILL'), stopGraceMs);
  child.kill('SIGTERM');
  await exited;
  clearTimeout(late);
}
