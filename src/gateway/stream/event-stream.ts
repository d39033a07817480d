import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PreviewEars } from '../../ledger/previews/hear-previews';
import type { Audience } from '../../protocol/audiences';
import type { AttemptRef } from '../../protocol/ids';
import { viewEvent } from '../../protocol/view-event';
import type { AttemptTails } from './attempt-tail';
import { Writer } from './writer';

/** Proxies close what says nothing for a minute, and a reader knows by it that the stream lives. */
const heartbeatMs = 15_000;
/** A browser comes back after this, and not all of them at once. */
const reconnectMs = 1_000;

/** A database that restarts is asked so often; the reader keeps its place meanwhile. */
const retryMs = 500;

export interface StreamParts {
  readonly tails: AttemptTails;
  readonly ears: PreviewEars;
  /** Whether whoever reads still may; asked with each heartbeat. */
  readonly mayRead: () => Promise<boolean>;
  /** The gateway stops. */
  readonly signal: AbortSignal;
}

/**
 * Every persisted event after `cursor` once and in order, then those that come, as an event stream (R10.2): `id` is the sequence, by
 * which the reader comes back. In between, and promised to nobody, what a model says while it says it. Resolves when the stream is
 * over: the reader went, was too slow, or may read no more.
 */
export async function streamEvents(
  response: ServerResponse,
  ref: AttemptRef,
  { audience, cursor }: { readonly audience: Audience; readonly cursor: number },
  { tails, ears, mayRead, signal }: StreamParts,
): Promise<void> {
  const writer = new Writer(response, signal);
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  const { tail, leave } = tails.join(ref);
  const hearing =
    audience === 'model' ? undefined : ears.hear(ref, (preview) => writer.offer(frame('preview', preview)));
  const heartbeat = setInterval(() => {
    writer.offer(': still here\n\n');
    void mayRead().then(
      (may) => may || writer.end(),
      () => undefined, // a database that is away for a moment is no reason to end
    );
  }, heartbeatMs);
  try {
    await writer.write(`retry: ${reconnectMs}\n\n`);
    let at = cursor;
    let caughtUp = false;
    while (!writer.over) {
      const events = await tail.after(at).catch(() => undefined);
      if (events === undefined) {
        await sleep(retryMs, undefined, { signal: writer.signal }).catch(() => undefined);
        continue;
      }
      for (const event of events) {
        const view = viewEvent(event, audience);
        if (view) await writer.write(frame('event', view, event.sequence));
        at = event.sequence;
      }
      if (events.length > 0) continue;
      if (!caughtUp) await writer.write(frame('caught_up', { sequence: at }));
      caughtUp = true;
      await tail.news(at, writer.signal);
    }
  } finally {
    clearInterval(heartbeat);
    hearing?.stop();
    leave();
    writer.end();
  }
}

/** JSON has no line breaks of its own, so one `data` line holds it. */
const frame = (event: string, data: unknown, id?: number) =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
