import type { Inserts } from '../activities/ledger-port';
import { planDone, readTaskState } from '../domain/context/task-state';
import { isLoopStop } from '../domain/progress/loop-stop';
import { Trail } from '../domain/progress/trail';
import type { CallRow, RecentRows } from './recent-rows';

type Pending = Omit<CallRow, 'seen'>;
type Seen = NonNullable<CallRow['seen']>;

/**
 * Makes an attempt's trail of its rows, each once and in order, whether this process wrote them or reads them.
 *
 *   I1  Observations land later than tries; a call counts with its observation.
 *   I2  Of the newest step it is known which calls were counted, so that reading it again counts none twice.
 */
export class TrailReader {
  readonly trail = new Trail();
  /** Highest step of a call. */
  step = 0;
  private heardAfter = -1;
  private compactedAt = 0;
  /** Calls of the newest step that nothing was observed of yet, by index, and those that were counted (I2). */
  private pending = new Map<number, Pending>();
  private counted = new Set<number>();

  readOn({ heardAfter, compactedAt, plans, calls }: RecentRows): void {
    this.heard(heardAfter);
    const inOrder = [...plans, ...calls].sort((a, b) => a.step - b.step || a.index - b.index);
    const compactions = [...compactedAt];
    for (const row of inOrder) {
      while (compactions[0] !== undefined && compactions[0] <= row.step) this.compacted(compactions.shift() ?? 0);
      if ('body' in row) this.trail.planned(planDone(readTaskState(row.body)));
      else this.call(row);
    }
    for (const step of compactions) this.compacted(step);
  }

  /** The user said something after this step. */
  heard(afterStep: number): void {
    if (afterStep <= this.heardAfter) return;
    this.heardAfter = afterStep;
    this.trail.heard();
  }

  /** The view was compacted before this step's calls. */
  compacted(step: number): void {
    if (step <= this.compactedAt) return;
    this.compactedAt = step;
    this.trail.compacted();
  }

  tried({ fingerprint, likeness, stepless, snapshot, poll, closed, ...row }: Inserts['tool_tries']): void {
    if (fingerprint === null) return;
    this.goTo(row.step);
    const failure = closed?.outcome === 'not_run' ? (closed.failure ?? null) : null;
    const { step, index, sent } = row;
    const prints = { print: fingerprint, likeness: likeness ?? null, stepless: stepless ?? null };
    this.pending.set(index, { step, index, sent, ...prints, environment: snapshot, failure, poll: poll ?? false });
  }

  sent({ step, index, sent }: { readonly step: number; readonly index: number; readonly sent: boolean }): void {
    const call = step === this.step ? this.pending.get(index) : undefined;
    if (call) this.pending.set(index, { ...call, sent });
  }

  observed(row: Inserts['observations']): void {
    const call = row.step === this.step ? this.pending.get(row.index) : undefined;
    if (!call) return;
    this.saw(call, {
      ok: row.ok,
      answer: row.result_hash,
      tokens: row.tokens,
      foundNothing: row.found_nothing,
      snapshot: row.snapshot,
      failureClass: row.failure_class,
      failingTests: row.failing_tests,
    });
  }

  private call({ seen, ...call }: CallRow): void {
    this.goTo(call.step);
    if (this.counted.has(call.index)) return; // I2
    this.pending.set(call.index, call);
    if (seen) this.saw(call, seen);
  }

  private saw(call: Pending, { answer, ...seen }: Seen): void {
    this.pending.delete(call.index);
    this.counted.add(call.index);
    if (answer === null || call.step <= this.heardAfter) return;
    const { print, environment, sent, poll, failure } = call;
    const prints = { print, likeness: call.likeness ?? undefined, stepless: call.stepless ?? undefined };
    this.trail.saw({
      step: call.step,
      ...seen,
      ...prints,
      environment,
      sent,
      poll,
      stopped: isLoopStop(failure),
      answer,
    });
  }

  private goTo(step: number): void {
    if (step <= this.step) return;
    this.step = step;
    this.pending = new Map();
    this.counted = new Set();
  }
}
