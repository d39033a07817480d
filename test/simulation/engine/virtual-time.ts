import timers from 'node:timers/promises';
import type { Owner, Scheduler } from './scheduler';

/**
 * Puts a scheduler's time in the place of this machine's, for the code under test: `sleep` of node:timers/promises,
 * `AbortSignal.timeout` and the monotonic clock. Each wait belongs to the process whose step began it. Returns how to put
 * everything back.
 */
export function useVirtualTime(scheduler: Scheduler): () => void {
  const timeIsUp = new DOMException('Time is up', 'TimeoutError');
  const real = { sleep: timers.setTimeout, timeout: AbortSignal.timeout, now: performance.now };
  const owner = (): Owner => {
    if (!scheduler.current) throw new Error('Something waits that no step began.');
    return scheduler.current;
  };
  const sleep = <T>(ms = 0, value?: T, { signal }: { signal?: AbortSignal } = {}): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const onAbort = () => {
        cancel();
        reject(aborted(signal));
      };
      const cancel = scheduler.later(owner(), ms, `slept ${ms}`, () => {
        signal?.removeEventListener('abort', onAbort);
        resolve(value as T);
      });
      if (signal?.aborted) onAbort();
      else signal?.addEventListener('abort', onAbort, { once: true });
    });
  const timeout = (ms: number): AbortSignal => {
    const controller = new AbortController();
    scheduler.later(owner(), ms, `limit ${ms}`, () => controller.abort(timeIsUp));
    return controller.signal;
  };
  Object.assign(timers, { setTimeout: sleep });
  AbortSignal.timeout = timeout;
  performance.now = () => scheduler.nowMs;
  return () => {
    Object.assign(timers, { setTimeout: real.sleep });
    AbortSignal.timeout = real.timeout;
    performance.now = real.now;
  };
}

function aborted(signal: AbortSignal | undefined): Error {
  const error = new Error('The operation was aborted', { cause: signal?.reason });
  error.name = 'AbortError';
  return Object.assign(error, { code: 'ABORT_ERR' });
}
