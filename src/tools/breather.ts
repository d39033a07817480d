import { setImmediate as othersTurn } from 'node:timers/promises';

/** Longest that one call's computation holds up everybody's in this process, the renewal of leases included, ms. */
const turnMs = 10;

/** Awaited inside a long computation: lets others have their turn when it is due, and throws the signal's reason when aborted. */
export function createBreather(signal: AbortSignal): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < turnMs) return undefined;
    return othersTurn().then(() => {
      signal.throwIfAborted();
      since = performance.now();
    });
  };
}
