import type { AttemptState, Reason } from './states';

/**
 * The state machine of an Attempt (R2): every legal move, and what a state means to those who watch, pay and resume.
 *
 *   I1  An end has no move out: what ended stays ended.
 *   I2  Every active state may go to CANCELLING and, except CANCELLING itself, to SUSPENDED; a cancel is never put off.
 *   I3  SUSPENDED returns to a recovery point: a state that can begin again from ledger rows alone.
 */
export interface StateRow {
  readonly to: readonly AttemptState[];
  /** A failed try in this state may be made again by the runtime (R8.5). */
  readonly retry: boolean;
  /** Time in this state counts against `maxRuntimeMs`. */
  readonly billed: boolean;
  /** `notice`: someone is waited for or should look; `page`: the truth about an effect is open. */
  readonly alert: 'none' | 'notice' | 'page';
  /** What the model is told when the Attempt goes on from here; empty where it needs no word. */
  readonly onResume: string;
}

const row = (
  retry: boolean,
  billed: boolean,
  alert: StateRow['alert'],
  to: readonly AttemptState[],
  onResume = '',
): StateRow => ({ to, retry, billed, alert, onResume });

const retried = true;
const once = false;
const billed = true;
const free = false;
/** What every state may do that is not an end and not already one of the two (I2). */
const stop = ['CANCELLING', 'SUSPENDED'] as const;

const lookAgain = 'Time has passed and the world may have changed: look again before you act.';

// Set-up is free because its result is shared: a budget must not depend on who filled the cache. A cancel is free
// because it has to finish even where the budget is gone.
// biome-ignore format: a table is read by its columns
export const stateTable: Readonly<Record<AttemptState, StateRow>> = {
  CREATED:              row(retried, free,   'none',   ['ASSEMBLING_CONTEXT', 'EXECUTING_TOOL', 'WAITING_FOR_USER', ...stop]),
  ASSEMBLING_CONTEXT:   row(once,    billed, 'none',   ['WAITING_FOR_MODEL', 'COMPACTING', 'FAILED', ...stop]),
  WAITING_FOR_MODEL:    row(retried, billed, 'none',   ['DECIDING', 'ASSEMBLING_CONTEXT', 'COMPACTING', 'WAITING_FOR_USER', ...stop]),
  DECIDING:             row(once,    billed, 'none',   ['EXECUTING_TOOL', 'ASSEMBLING_CONTEXT', 'VERIFYING', 'WAITING_FOR_USER', 'WAITING_FOR_APPROVAL', 'COMPACTING', 'FAILED', ...stop]),
  WAITING_FOR_APPROVAL: row(once,    free,   'notice', ['EXECUTING_TOOL', 'DECIDING', ...stop], lookAgain),
  EXECUTING_TOOL:       row(retried, billed, 'none',   ['DECIDING', 'ASSEMBLING_CONTEXT', 'WAITING_FOR_APPROVAL', 'WAITING_FOR_EFFECT', 'RECONCILING', 'WAITING_FOR_USER', 'FAILED', ...stop]),
  WAITING_FOR_EFFECT:   row(once,    free,   'none',   ['EXECUTING_TOOL', 'DECIDING', 'RECONCILING', ...stop], lookAgain),
  RECONCILING:          row(retried, free,   'page',   ['EXECUTING_TOOL', 'DECIDING', ...stop], lookAgain),
  WAITING_FOR_USER:     row(once,    free,   'notice', ['ASSEMBLING_CONTEXT', 'CREATED', ...stop], lookAgain),
  COMPACTING:           row(retried, billed, 'none',   ['WAITING_FOR_MODEL', 'ASSEMBLING_CONTEXT', 'WAITING_FOR_USER', ...stop]),
  VERIFYING:            row(retried, billed, 'none',   ['CANDIDATE_VERIFIED', 'NEEDS_REPAIR', 'WAITING_FOR_APPROVAL', 'WAITING_FOR_USER', 'FAILED', ...stop]),
  NEEDS_REPAIR:         row(once,    billed, 'none',   ['ASSEMBLING_CONTEXT', ...stop]),
  CANDIDATE_VERIFIED:   row(once,    billed, 'none',   ['COMMITTING', 'COMPLETED', 'ASSEMBLING_CONTEXT', ...stop]),
  COMMITTING:           row(retried, billed, 'none',   ['COMPLETED', 'ASSEMBLING_CONTEXT', 'NEEDS_REPAIR', 'WAITING_FOR_USER', 'FAILED', ...stop]),
  SUSPENDED:            row(once,    free,   'notice', ['ASSEMBLING_CONTEXT', 'CREATED', 'DECIDING', 'EXECUTING_TOOL', 'WAITING_FOR_APPROVAL', 'WAITING_FOR_EFFECT', 'RECONCILING', 'WAITING_FOR_USER', 'VERIFYING', 'NEEDS_REPAIR', 'COMMITTING', 'CANCELLING'], lookAgain),
  CANCELLING:           row(once,    free,   'none',   ['CANCELLED']),
  COMPLETED:            row(once,    free,   'none',   []),
  FAILED:               row(once,    free,   'notice', []),
  CANCELLED:            row(once,    free,   'none',   []),
};

/** Where each reason leaves the Attempt, and the exit code of `start --wait` (R2.3). */
// biome-ignore format: a table is read by its columns
export const reasonTable: Readonly<Record<Reason, { readonly state: AttemptState; readonly exitCode: 0 | 1 | 3 | 4 }>> = {
  success:                    { state: 'COMPLETED',            exitCode: 0 },
  failed:                     { state: 'FAILED',               exitCode: 1 },
  loop_detected:              { state: 'FAILED',               exitCode: 1 },
  blocked:                    { state: 'WAITING_FOR_USER',     exitCode: 3 },
  refused:                    { state: 'WAITING_FOR_USER',     exitCode: 3 },
  turn_stopped:               { state: 'WAITING_FOR_USER',     exitCode: 3 },
  waiting_for_user:           { state: 'WAITING_FOR_USER',     exitCode: 3 },
  budget_exceeded:            { state: 'SUSPENDED',            exitCode: 3 },
  suspended:                  { state: 'SUSPENDED',            exitCode: 3 },
  paused_for_approval:        { state: 'WAITING_FOR_APPROVAL', exitCode: 3 },
  waiting_for_effect:         { state: 'WAITING_FOR_EFFECT',   exitCode: 3 },
  reconcile_required:         { state: 'RECONCILING',          exitCode: 3 },
  cancelled:                  { state: 'CANCELLED',            exitCode: 4 },
  cancelled_effect_committed: { state: 'CANCELLED',            exitCode: 4 },
};

export function canMove(from: AttemptState, to: AttemptState): boolean {
  return stateTable[from].to.includes(to);
}

/** A bug of the driver. It is no failure of the Attempt, so it fails the workflow task (R2.2). */
export class IllegalMove extends Error {
  constructor(
    readonly from: AttemptState,
    readonly to: AttemptState,
  ) {
    super(`No move leads from ${from} to ${to}`);
    this.name = 'IllegalMove';
  }
}

/** Throws IllegalMove where the table has no such move. */
export function checkMove(from: AttemptState, to: AttemptState): void {
  if (!canMove(from, to)) throw new IllegalMove(from, to);
}
