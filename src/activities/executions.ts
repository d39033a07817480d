import type { Answered } from '../protocol/calls';
import { NewestSignal } from './newest-signal';

interface Running {
  readonly id: string;
  readonly signal: NewestSignal;
  readonly done: Promise<Answered>;
}

/** The calls that this process works on, by attempt and move; a repeated call joins the one that runs (M9). */
export class Executions {
  private readonly running = new Map<string, Running>();

  /** `worker` gives the id of the lease in force. */
  constructor(readonly worker: () => string) {}

  /** Ids of the executions in memory, for the renewal of the lease. */
  ids(): string[] {
    return [...this.running.values()].map((execution) => execution.id);
  }

  /** Runs `start` under `id`, or joins what already runs for the same move; the newest call is the one that may stop it. */
  join(
    move: string,
    id: string,
    signal: AbortSignal,
    start: (signal: AbortSignal) => Promise<Answered>,
  ): Promise<Answered> {
    const known = this.running.get(move);
    if (known) {
      known.signal.follow(signal);
      return known.done;
    }
    const newest = new NewestSignal();
    newest.follow(signal);
    const done = start(newest.signal).finally(() => {
      newest.unfollow();
      this.running.delete(move);
    });
    this.running.set(move, { id, signal: newest, done });
    return done;
  }
}
