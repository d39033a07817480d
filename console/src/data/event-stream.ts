import type { Preview } from '../../../src/protocol/preview';
import type { WireEvent } from '../../../src/protocol/wire-event';
import { headers, pathOf } from './api';
import { setToken } from './token';

export interface StreamListener {
  /** Each event once and in order. */
  readonly onEvents: (events: readonly WireEvent[]) => void;
  readonly onPreview: (preview: Preview) => void;
  /** `live`: all that was is here. `away`: the line is broken, and is tried again. */
  readonly onLine: (line: 'reading' | 'live' | 'away') => void;
}

/** A line that is broken again and again is tried ever more rarely, up to this. */
const awayMaxMs = 10_000;
const awayMinMs = 300;

/** Reads an attempt's events from its first on, over every broken line, until `signal` is aborted. */
export async function readStream(attemptId: string, listener: StreamListener, signal: AbortSignal): Promise<void> {
  let cursor = 0;
  let awayMs = awayMinMs;
  while (!signal.aborted) {
    listener.onLine(cursor === 0 ? 'reading' : 'away');
    try {
      const response = await fetch(`${pathOf(attemptId)}/events`, {
        headers: { ...headers(), accept: 'text/event-stream', 'last-event-id': String(cursor) },
        signal,
      });
      if (response.status === 401) return setToken('');
      if (!response.ok || response.body === null) throw new Error(String(response.status));
      for await (const frames of framesOf(response.body)) {
        awayMs = awayMinMs;
        const events = frames.flatMap(({ event, data }) => (event === 'event' ? [data as WireEvent] : []));
        const news = events.filter(({ sequence }) => sequence > cursor);
        cursor = news.at(-1)?.sequence ?? cursor;
        if (news.length > 0) listener.onEvents(news);
        for (const { event, data } of frames) {
          if (event === 'preview') listener.onPreview(data as Preview);
          if (event === 'caught_up') listener.onLine('live');
        }
      }
    } catch {
      // A line breaks for many reasons, and the same helps in all of them.
    }
    if (signal.aborted) return;
    listener.onLine('away');
    await new Promise((resolve) => setTimeout(resolve, awayMs * (0.5 + Math.random() / 2)));
    awayMs = Math.min(awayMs * 2, awayMaxMs);
  }
}

interface Frame {
  readonly event: string;
  readonly data: unknown;
}

/** Frames as they come, those of one chunk together. */
async function* framesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<readonly Frame[]> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    yield parts.flatMap((part) => {
      const [, event] = /^event: (.*)$/m.exec(part) ?? [];
      const [, data] = /^data: (.*)$/m.exec(part) ?? [];
      return event === undefined || data === undefined ? [] : [{ event, data: JSON.parse(data) as unknown }];
    });
  }
}
