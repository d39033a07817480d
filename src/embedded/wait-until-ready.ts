import { setTimeout as sleep } from 'node:timers/promises';
import { describeExit, type ManagedProcess } from './managed-process';
import { tail } from './tail';

/** A server that is nearly up is asked again at once: this is the most that a start loses by asking. */
const pollMs = 25;

/**
 * Asks `probe` until it succeeds. Throws with the end of the server's log where the process ends first, or where
 * `limitMs` pass; the process is then left to the caller.
 */
export async function waitUntilReady(
  process: ManagedProcess,
  options: { name: string; logFile: string; limitMs: number },
  probe: () => Promise<void>,
): Promise<void> {
  let ended: string | undefined;
  void process.exited.then((exit) => {
    ended = describeExit(exit);
  });
  const until = performance.now() + options.limitMs;
  for (;;) {
    const failure = await probe().then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    if (ended !== undefined) throw new Error(`${options.name} ended with ${ended}:\n${tail(options.logFile)}`);
    if (failure === undefined) return;
    if (performance.now() >= until) {
      throw new Error(`${options.name} was not ready in ${options.limitMs} ms (${failure}):\n${tail(options.logFile)}`);
    }
    await sleep(pollMs);
  }
}
