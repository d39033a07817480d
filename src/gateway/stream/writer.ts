import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** A reader that takes nothing for so long is behind a dead line or stopped; it comes back with its cursor. */
const slowReaderMs = 20_000;

/** Writes to one reader at the reader's pace: what waits in memory is what one `write` was given, and the socket's own buffer. */
export class Writer {
  private readonly gone = new AbortController();

  constructor(
    private readonly response: ServerResponse,
    stopping: AbortSignal,
  ) {
    response.once('close', () => this.gone.abort());
    response.once('error', () => this.gone.abort());
    if (stopping.aborted) this.end();
    else stopping.addEventListener('abort', () => this.end(), { once: true, signal: this.gone.signal });
  }

  /** Aborted when the stream is over. */
  get signal(): AbortSignal {
    return this.gone.signal;
  }

  get over(): boolean {
    return this.gone.signal.aborted;
  }

  /** Resolves when the reader has room for more; ends the stream where it has none for `slowReaderMs`. Never rejects. */
  async write(text: string): Promise<void> {
    if (this.over || this.response.write(text)) return;
    const tooLong = AbortSignal.timeout(slowReaderMs);
    try {
      await once(this.response, 'drain', { signal: AbortSignal.any([this.gone.signal, tooLong]) });
    } catch {
      if (tooLong.aborted) this.drop();
    }
  }

  /** Written only where there is room: what is promised to nobody waits for nobody. */
  offer(text: string): void {
    if (!this.over && !this.response.writableNeedDrain) this.response.write(text);
  }

  end(): void {
    if (this.over) return;
    this.gone.abort();
    this.response.end();
  }

  private drop(): void {
    this.gone.abort();
    this.response.destroy();
  }
}
