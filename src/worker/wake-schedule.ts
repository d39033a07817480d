/** After the first signal the next one waits this long, ms; then twice as long each time. */
const wakeAgainAfterMs = 5_000;
/** A signal that was lost on the way costs at most this, ms; a tool that runs for a day costs 150 signals and no more. */
const wakeAgainMaxMs = 600_000;

/**
 * When a message that nobody takes is signalled again. Each signal is events of history, and an attempt in a long call
 * takes no messages until it ends: at an even pace a day would fill its history.
 */
export class WakeSchedule {
  private known = new Map<string, { readonly nextMs: number; readonly waitMs: number }>();

  /** Those of `waiting` whose turn it is; what no longer waits is forgotten. `nowMs` never goes back. */
  due<T>(waiting: readonly T[], idOf: (message: T) => string, nowMs: number): T[] {
    const kept = new Map<string, { nextMs: number; waitMs: number }>();
    const due = waiting.filter((message) => {
      const id = idOf(message);
      const last = this.known.get(id) ?? { nextMs: nowMs, waitMs: wakeAgainAfterMs };
      const isDue = nowMs >= last.nextMs;
      const waitMs = Math.min(last.waitMs * 2, wakeAgainMaxMs);
      kept.set(id, isDue ? { nextMs: nowMs + last.waitMs, waitMs } : last);
      return isDue;
    });
    this.known = kept;
    return due;
  }
}
