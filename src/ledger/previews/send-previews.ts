import type { Pool } from 'pg';
import type { OpenPreview, PreviewPlace } from '../../activities/ports';
import type { AttemptRef } from '../../protocol/ids';
import { cutForNotify, type Piece, previewChannel } from './preview-wire';

/** As live as a person can tell; an answer that is there sooner is not previewed at all, and costs nothing. */
const flushMs = 100;
/** Of one stream while the database is slow: of longer text the beginning is dropped. */
const pendingMaxChars = 64 * 1024;

const notifyQuery = 'select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as n(channel, payload)';

/**
 * Tells readers what models are saying, by NOTIFY: no row is written. All streams of a worker share one statement at a time, so that
 * previews never take the connections that steps need. What cannot be told is lost, and the part numbers show it.
 */
export function createPreviews(pool: Pick<Pool, 'query'>): OpenPreview {
  const waiting = new Set<Stream>();
  let planned = false;

  const plan = () => {
    if (planned) return;
    planned = true;
    setTimeout(flush, flushMs).unref();
  };
  const flush = async () => {
    const told = [...waiting].flatMap((stream) => stream.take());
    waiting.clear();
    if (told.length > 0) {
      const values = [told.map(({ channel }) => channel), told.map(({ piece }) => JSON.stringify(piece))];
      await pool.query({ name: 'preview', text: notifyQuery, values }).catch(() => undefined); // lost, as is allowed
    }
    planned = false;
    if (waiting.size > 0) plan();
  };

  return (ref, place) => {
    const stream = new Stream(ref, place);
    return {
      show(delta) {
        stream.add(delta);
        waiting.add(stream);
        plan();
      },
      end: () => void waiting.delete(stream),
    };
  };
}

class Stream {
  private pending = '';
  private part = 0;

  constructor(
    private readonly ref: AttemptRef,
    private readonly place: PreviewPlace,
  ) {}

  add(delta: string): void {
    this.pending += delta;
    if (this.pending.length <= pendingMaxChars) return;
    this.pending = this.pending.slice(-pendingMaxChars);
    this.part += 1; // a number that nobody gets
  }

  take(): readonly { readonly channel: string; readonly piece: Piece }[] {
    const text = this.pending;
    this.pending = '';
    const { step, try: tryNumber, execution } = this.place;
    return cutForNotify(text).map((text) => {
      this.part += 1;
      return { channel: previewChannel(this.ref), piece: { step, try: tryNumber, execution, part: this.part, text } };
    });
  }
}
