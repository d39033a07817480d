import { setTimeout as sleep } from 'node:timers/promises';
import { errorText } from './error-text';
import { describeExit, type ManagedProcess } from './managed-process';
import { tail } from './tail';

/** A server that is nearly up is asked again at once: this is the most that a start loses by asking. */
const pollMs = 25;

/** The server ended instead of becoming ready; its message ends with the last lines of the log. */
export class ServerEndedError extends Error {
  override readonly name = 'ServerEndedError';
}

/**
 * Asks `probe` until it succeeds, and stops the process where it does not become ready.
 * Throws ServerEndedError where the process ends first, and an Error where `limitMs` pass.
 */
export async function waitUntilReady(
  server: ManagedProcess,
  options: { name: string; logFile: string; limitMs: number },
  probe: () => Promise<void>,
): Promise<void> {
  let ended: string | undefined;
  void server.exited.then((exit) => {
    ended = describeExit(exit);
  });
  const until = performance.now() + options.limitMs;
  for (;;) {
    const failure = await probe().then(() => undefined, errorText);
    if (ended !== undefined)
      throw new ServerEndedError(`${options.name} ended with ${ended}:\n${tail(options.logFile)}`);
    if (failure === undefined) return;
    if (performance.now() >= until) {
      await server.stop();
      throw new Error(`${options.name} was not ready in ${options.limitMs} ms (${failure}):\n${tail(options.logFile)}`);
    }
    await sleep(pollMs);
  }
}
