import type { Answered } from '../protocol/calls';

/** The calls that this process works on, by attempt and move; a repeated call joins the one that runs (M9). */
export class Executions {
  private readonly running = new Map<string, { id: string; done: Promise<Answered> }>();

  /** `worker` gives the id of the lease in force. */
  constructor(readonly worker: () => string) {}

  /** Ids of the executions in memory, for the renewal of the lease. */
  ids(): string[] {
    return [...this.running.values()].map((execution) => execution.id);
  }

  /** Runs `start` under `id`, or joins what already runs for the same move. */
  join(move: string, id: string, start: () => Promise<Answered>): Promise<Answered> {
    const known = this.running.get(move);
    if (known) return known.done;
    const done = start().finally(() => this.running.delete(move));
    this.running.set(move, { id, done });
    return done;
  }
}
