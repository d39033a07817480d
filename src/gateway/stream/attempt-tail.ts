import type { Pool } from 'pg';
import { eventPage } from '../../ledger/queries/event-page';
import type { AttemptRef } from '../../protocol/ids';
import type { WireEvent } from '../../protocol/wire-event';

/** A reader has an event within this and one read; the workflow is never asked (R10.2). */
const pollMs = 100;
/** An attempt that waits for people, or that has ended, is asked less often, and still answers at once to a person's eye. */
const quietPollMs = 500;
/** Longer than most model calls: an attempt that said nothing for so long waits for something. */
const quietAfterMs = 60_000;
/** Read at once; also what a reader gets at once, so that a slow one holds no more than this in memory. */
export const pageSize = 500;
/** Readers that are behind by less read nothing from the database. */
const keptMax = 1_000;

/** What is new in one attempt, read once for all its readers in this process. */
export interface AttemptTail {
  /** Events after `cursor`, oldest first, at most a page; empty where there is none yet. Rejects as the database does. */
  after(cursor: number): Promise<readonly WireEvent[]>;
  /** Resolves when there may be something after `cursor`, or when `signal` is aborted. */
  news(cursor: number, signal: AbortSignal): Promise<void>;
}

export interface AttemptTails {
  /** Until `leave` is called, and the last reader's ends the reading. */
  join(ref: AttemptRef): { readonly tail: AttemptTail; readonly leave: () => void };
  stop(): void;
}

/** `onTrouble` is told of reads that failed; they are tried again. */
export function attemptTails(pool: Pool, onTrouble: (error: unknown) => void): AttemptTails {
  const tails = new Map<number, { readonly tail: ReturnType<typeof startTail>; readers: number }>();
  return {
    join(ref) {
      const known = tails.get(ref.key) ?? { tail: startTail(pool, ref, onTrouble), readers: 0 };
      known.readers += 1;
      tails.set(ref.key, known);
      let here = true;
      return {
        tail: known.tail,
        leave() {
          if (!here) return;
          here = false;
          known.readers -= 1;
          if (known.readers > 0) return;
          known.tail.stop();
          tails.delete(ref.key);
        },
      };
    },
    stop() {
      for (const { tail } of tails.values()) tail.stop();
      tails.clear();
    },
  };
}

function startTail(pool: Pool, ref: AttemptRef, onTrouble: (error: unknown) => void): AttemptTail & { stop(): void } {
  /** Consecutive, the newest last. */
  let kept: readonly WireEvent[] = [];
  let newest: number | undefined;
  let newsAt = Date.now();
  let waiting: (() => void)[] = [];
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const wake = () => {
    const woken = waiting;
    waiting = [];
    for (const tell of woken) tell();
  };

  const poll = async () => {
    try {
      newest ??= await newestOf(pool, ref);
      const page = await eventPage(pool, ref, newest, pageSize);
      const last = page.at(-1);
      if (last !== undefined) {
        newest = last.sequence;
        newsAt = Date.now();
        kept = [...kept, ...page].slice(-keptMax);
        wake();
      }
    } catch (error) {
      onTrouble(error);
    }
    if (stopped) return;
    timer = setTimeout(poll, Date.now() - newsAt > quietAfterMs ? quietPollMs : pollMs);
  };
  void poll();

  return {
    async after(cursor) {
      const first = kept[0];
      if (first !== undefined && cursor >= first.sequence - 1)
        return kept.slice(cursor - first.sequence + 1, cursor - first.sequence + 1 + pageSize);
      return eventPage(pool, ref, cursor, pageSize);
    },
    news(cursor, signal) {
      if (signal.aborted || (newest !== undefined && newest > cursor)) return Promise.resolve();
      return new Promise((resolve) => {
        const told = () => {
          signal.removeEventListener('abort', told);
          resolve();
        };
        waiting.push(told);
        signal.addEventListener('abort', told, { once: true });
      });
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
      wake();
    },
  };
}

async function newestOf(pool: Pool, { key }: AttemptRef): Promise<number> {
  const { rows } = await pool.query<{ sequence: number }>('select sequence from attempts where key = $1', [key]);
  return rows[0]?.sequence ?? 0;
}
