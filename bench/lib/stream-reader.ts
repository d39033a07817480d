import { setTimeout as sleep } from 'node:timers/promises';

/** What one reader of an event stream got. */
export interface ReadEvents {
  /** Sequences in the order in which they came. */
  readonly sequences: readonly number[];
  /** From the event's own time until it was here, ms, of those that came live. */
  readonly delaysMs: readonly number[];
  readonly cuts: number;
}
export interface ReaderOptions {
  /** Of the attempt's events, `…/events`. */
  readonly url: string;
  readonly token: string;
  /** How often the reader breaks its connection off, in all. */
  readonly cuts: number;
  /** From 0 to 1, as Math.random. */
  readonly random: () => number;
}

/** Longest between two cuts, in events: by then a reader is live again. */
const eventsBetweenCutsMax = 12;
/** Longest that a reader stays away, ms. */
const awayMaxMs = 100;

/** Reads until the attempt's end, breaking its connection off at random and going on by the sequence that it saw last. */
export async function readEvents({ url, token, cuts, random }: ReaderOptions): Promise<ReadEvents> {
  const sequences: number[] = [];
  const delaysMs: number[] = [];
  let done = 0;
  let ended = false;
  while (!ended) {
    const line = new AbortController();
    const cutAfter = done < cuts ? 1 + Math.floor(random() * eventsBetweenCutsMax) : Number.POSITIVE_INFINITY;
    let here = 0;
    let live = false;
    try {
      for await (const { event, data } of framesOf(url, token, sequences.at(-1) ?? 0, line.signal)) {
        if (event === 'caught_up') live = true;
        if (event !== 'event') continue;
        sequences.push(data.sequence);
        if (live) delaysMs.push(Date.now() - Date.parse(data.timestamp));
        here += 1;
        ended = data.event_type === 'ended';
        if (ended || here >= cutAfter) break;
      }
    } catch (error) {
      if (!isCut(error)) throw error;
    } finally {
      line.abort();
    }
    if (ended) break;
    if (here >= cutAfter) done += 1;
    await sleep(random() * awayMaxMs);
  }
  return { sequences, delaysMs, cuts: done };
}

interface Frame {
  readonly event: string;
  readonly data: { readonly sequence: number; readonly timestamp: string; readonly event_type: string };
}

async function* framesOf(url: string, token: string, after: number, signal: AbortSignal): AsyncGenerator<Frame> {
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}`, 'last-event-id': String(after) };
  const { status, body } = await fetch(url, { headers, signal });
  if (status !== 200 || body === null) throw new Error(`the stream answered ${status}`);
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const frames = text.split('\n\n');
    text = frames.pop() ?? '';
    for (const frame of frames) {
      const [, event] = /^event: (.*)$/m.exec(frame) ?? [];
      const [, data] = /^data: (.*)$/m.exec(frame) ?? [];
      if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) };
    }
  }
}

/** A connection that somebody ended, or nobody takes for the moment; by name, for `fetch` may be of another realm. */
const isCut = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'name' in error && cutNames.includes(String(error.name));
const cutNames = ['AbortError', 'TypeError'];
