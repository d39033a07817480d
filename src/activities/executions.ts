import type { Answered } from '../protocol/calls';
import { ExecutionLostError } from './errors';
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

  /**
   * Runs `start` under `id`, or joins what already runs for the same move; the newest call is the one that may stop it. To a
   * call that did not ask for that the execution is lost.
   */
  join(
    move: string,
    id: string,
    signal: AbortSignal,
    start: (signal: AbortSignal) => Promise<Answered>,
  ): Promise<Answered> {
    const known = this.running.get(move);
    if (known) {
      known.signal.follow(signal);
      return orLost(known.done, signal, known.signal.signal);
    }
    const newest = new NewestSignal();
    newest.follow(signal);
    const done = start(newest.signal).finally(() => {
      newest.unfollow();
      this.running.delete(move);
    });
    this.running.set(move, { id, signal: newest, done });
    return orLost(done, signal, newest.signal);
  }
}

async function orLost(done: Promise<Answered>, own: AbortSignal, newest: AbortSignal): Promise<Answered> {
  try {
    return await done;
  } catch (error) {
    if (!newest.aborted || own.aborted) throw error;
    throw new ExecutionLostError('It was stopped for a later call of the same move.');
  }
}
