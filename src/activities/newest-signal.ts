/**
 * A signal that does what the signal followed last does. Of several calls that wait for one execution only the newest is
 * waited for by a workflow; what becomes of the others is nobody's business.
 */
export class NewestSignal {
  private readonly controller = new AbortController();
  unfollow: () => void = () => undefined;

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  follow(signal: AbortSignal): void {
    this.unfollow();
    const abort = () => this.controller.abort(signal.reason);
    this.unfollow = () => signal.removeEventListener('abort', abort);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  }
}
