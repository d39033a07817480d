import { activeMs, type Run } from '../run/run';
import { reasonOf } from '../run/run-state';
import { type Pending, pendingOf } from './pending';

/** What the workflow itself knows; everything else is read from the ledger. */

export interface Status {
  readonly attemptId: string;
  readonly state: string;
  readonly reason?: string;
  readonly turn: number;
  readonly step: number;
  /** Number of the last call (M1). */
  readonly move: number;
  readonly model: string | undefined;
  readonly activeMs: number;
}

export function status(run: Run): Status {
  const { state } = run;
  const reason = reasonOf(state);
  return {
    attemptId: run.ref.id,
    state: state.kind,
    ...(reason && { reason }),
    turn: run.turn,
    step: run.step,
    move: run.n,
    model: run.start.models[run.model]?.name,
    activeMs: activeMs(run),
  };
}

export function pending(run: Run): readonly Pending[] {
  return pendingOf(run.state, run.step, run.ref);
}

/** How far the task is, as the query `taskState` answers it; the model's own plan is in the ledger. */
export interface TaskProgress {
  readonly kind: string;
  readonly state: string;
  readonly turn: number;
  readonly step: number;
  readonly candidate: number;
  readonly criteria: readonly string[];
}

export function taskProgress(run: Run): TaskProgress {
  return {
    kind: run.start.kind,
    state: run.state.kind,
    turn: run.turn,
    step: run.step,
    candidate: run.candidate,
    criteria: run.start.criteria,
  };
}
