import { httpFetch } from './http-fetch';

/** Why a call was ended from this side. */
export type StopCause = 'caller' | 'timeout' | 'stalled' | 'too_large';

/** Silence this long ends a call: a model that thinks still sends pings or summaries, one that is gone sends nothing. */
export const streamIdleMs = 120_000;
/** Text, reasoning and arguments of one answer, UTF-8 bytes: four times the longest that models give (128,000 tokens). */
export const maxAnswerBytes = 2 * 1024 * 1024;
/** Bytes on the wire: each token of a stream comes in an envelope of some 250 bytes. */
const maxWireBytes = 96 * 1024 * 1024;

/**
 * Watches one call: its caller's signal, its time, its silence and its size. Whatever ends it closes the connection.
 * `close` must be called, or timers keep the process.
 */
export interface CallGuard {
  /** Handed to the provider; aborted by any cause. */
  readonly signal: AbortSignal;
  /** Undefined as long as nothing ended the call from this side. */
  cause(): StopCause | undefined;
  stop(cause: StopCause): void;
  /** The response has begun: the provider took the request, and may bill it. */
  responded(): boolean;
  close(): void;
}

interface Watched extends CallGuard {
  received(bytes: number): void;
}

/** By the signal that `fetch` gets: a provider's model is shared by all calls, and the signal is what tells them apart. */
const watchedBySignal = new WeakMap<AbortSignal, Watched>();

export function openGuard(limits: { signal: AbortSignal; timeoutMs: number; idleMs: number }): CallGuard {
  const controller = new AbortController();
  let cause: StopCause | undefined;
  let wireBytes = 0;
  let responded = false;

  const stop = (why: StopCause) => {
    if (cause !== undefined) return;
    cause = why;
    controller.abort(why === 'caller' ? limits.signal.reason : new DOMException(`model call: ${why}`, 'AbortError'));
  };
  const onCaller = () => stop('caller');
  const whole = setTimeout(() => stop('timeout'), limits.timeoutMs);
  const idle = setTimeout(() => stop('stalled'), limits.idleMs);
  limits.signal.addEventListener('abort', onCaller, { once: true });
  if (limits.signal.aborted) onCaller();

  const guard: Watched = {
    signal: controller.signal,
    cause: () => cause,
    stop,
    responded: () => responded,
    received(bytes) {
      responded = true;
      idle.refresh();
      wireBytes += bytes;
      if (wireBytes > maxWireBytes) stop('too_large');
    },
    close() {
      clearTimeout(whole);
      clearTimeout(idle);
      limits.signal.removeEventListener('abort', onCaller);
    },
  };
  watchedBySignal.set(controller.signal, guard);
  return guard;
}

/** The `fetch` that providers are given: it knows the call by its signal, and counts the answer's bytes for its guard. */
export const guardedFetch: typeof fetch = async (input, init) => {
  const { signal, body } = init ?? {};
  const guard = signal ? watchedBySignal.get(signal) : undefined;
  if (!guard || typeof body !== 'string')
    throw new Error('a provider sent something else than the text of a guarded call');
  const headers = Object.fromEntries(new Headers(init?.headers));
  return httpFetch(String(input), { headers, body, signal: guard.signal, onBytes: guard.received });
};
