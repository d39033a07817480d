import type { Preview } from '../../../src/protocol/preview';
import type { WireEvent } from '../../../src/protocol/wire-event';

export type Line =
  /** The first events are on their way. */
  | 'reading'
  /** All that was is here, and what comes comes at once. */
  | 'live'
  /** The line is broken, and is tried again. */
  | 'away'
  /** The gateway has said no, and would again. */
  | 'refused';

export interface StreamListener {
  /** Each event once and in order. */
  readonly onEvents: (events: readonly WireEvent[]) => void;
  /** Words of a step that has no answer yet. */
  readonly onPreview: (preview: Preview) => void;
  readonly onLine: (line: Line) => void;
}
/** Asks for the stream after an event, as `fetch` does. */
export type OpenStream = (after: number, signal: AbortSignal) => Promise<Response>;

/** A line that is broken again and again is tried ever more rarely, up to this. */
const awayMaxMs = 10_000;
const awayMinMs = 300;
/** The gateway says something every 15 s: a line that is silent for so long is dead, also where nobody has said so. */
const silentMaxMs = 40_000;
/** What another try cannot change: the token, its roles, and an attempt that is not there. */
const refusals = [400, 401, 403, 404];

/** Reads an attempt's events from its first on, over every broken line, until `signal` is aborted or the gateway refuses it. */
export async function readStream(
  open: OpenStream,
  { onEvents, onPreview, onLine }: StreamListener,
  signal: AbortSignal,
): Promise<void> {
  let cursor = 0;
  let awayMs = awayMinMs;
  /** Steps that have their answer: a piece of one is late. */
  const answered = new Set<string>();
  const take = (frames: readonly Frame[]) => {
    const news = frames.flatMap(({ event, data }) => (event === 'event' ? [data as WireEvent] : []));
    const fresh = news.filter(({ sequence }) => sequence > cursor);
    for (const { event_type: type, step_id: step } of fresh)
      if (type === 'model_answered' && step !== null) answered.add(step);
    if (fresh.length > 0) onEvents(fresh);
    cursor = fresh.at(-1)?.sequence ?? cursor;
    for (const { event, data } of frames) {
      if (event === 'preview' && !answered.has((data as Preview).step_id)) onPreview(data as Preview);
      if (event === 'caught_up') onLine('live');
    }
  };

  onLine('reading');
  while (!signal.aborted) {
    const line = new AbortController();
    const either = AbortSignal.any([signal, line.signal]);
    let silent = setTimeout(() => line.abort(), silentMaxMs);
    const heard = () => {
      clearTimeout(silent);
      silent = setTimeout(() => line.abort(), silentMaxMs);
    };
    const response = await open(cursor, either).catch(() => undefined);
    if (response !== undefined && refusals.includes(response.status)) {
      clearTimeout(silent);
      return onLine('refused');
    }
    if (response?.ok && response.body !== null) {
      const chunks = framesOf(response.body, either, heard);
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
        awayMs = awayMinMs;
        take(next.value);
      }
    }
    clearTimeout(silent);
    line.abort();
    if (signal.aborted) return;
    onLine('away');
    await new Promise((resolve) => setTimeout(resolve, awayMs * (0.5 + Math.random() / 2)));
    awayMs = Math.min(awayMs * 2, awayMaxMs);
  }
}

interface Frame {
  readonly event: string;
  readonly data: unknown;
}

/** Frames as they come, those of one chunk together; ends where the line does, for whatever reason. `heard`: told of each chunk. */
async function* framesOf(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  heard: () => void,
): AsyncGenerator<readonly Frame[], undefined> {
  const reader = body.getReader();
  const stop = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const chunk = await reader.read().catch(() => undefined);
    if (chunk === undefined || chunk.done) return;
    heard();
    text += decoder.decode(chunk.value, { stream: true });
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    const frames = parts.flatMap((part) => {
      const [, event] = /^event: (.*)$/m.exec(part) ?? [];
      const [, data] = /^data: (.*)$/m.exec(part) ?? [];
      return event === undefined || data === undefined ? [] : [{ event, data: JSON.parse(data) as unknown }];
    });
    if (frames.length > 0) yield frames;
  }
}
