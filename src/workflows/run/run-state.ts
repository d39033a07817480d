import type { EndState, Reason } from '../../domain/attempt/states';
import type { Batch, CarriedPause, CarriedWait, ResumePoint } from '../../protocol/attempt';
import type { Compacted, PlannedAction, Stop } from '../../protocol/calls';

/** Where an Attempt is, with what that state needs; the ledger holds everything else. */
export type RunState = ActiveRunState | EndedRunState;

export type ActiveRunState =
  /** Before its workspace is there. */
  | { readonly kind: 'CREATED' }
  | { readonly kind: 'ASSEMBLING_CONTEXT' }
  /** `tries`: of this step so far; `compacted`: what its view has been through. */
  | { readonly kind: 'WAITING_FOR_MODEL'; readonly tries: number; readonly compacted?: Compacted }
  | { readonly kind: 'COMPACTING'; readonly tries: number; readonly tight?: true }
  /** `actions`: those of the newest proposal that have not run; `stop`: how the proposal ended. */
  | { readonly kind: 'DECIDING'; readonly actions: readonly PlannedAction[]; readonly stop: Stop }
  | { readonly kind: 'CANDIDATE_VERIFIED' }
  | PlacedRunState;

/** A place that a run can be cut in, or resumed in, by the name that it has there. */
export type Place = CarriedPause | ResumePoint;
type ByKind<P extends Place> = P extends Place ? { readonly kind: P['state'] } & Omit<P, 'state'> : never;
export type PlacedRunState = ByKind<Place>;

/** Nothing runs and nothing is billed until a message comes. */
export type PausedRunState = Extract<PlacedRunState, { kind: 'WAITING_FOR_USER' | 'SUSPENDED' }>;
/** Nothing is billed until what one action needs is there; the batch behind it waits too (R5.4). */
export type WaitRunState = ByKind<CarriedWait>;
export type ExecutingRunState = { readonly kind: 'EXECUTING_TOOL'; readonly batch: Batch };
export type CancellingRunState = Extract<PlacedRunState, { kind: 'CANCELLING' }>;

export interface EndedRunState {
  readonly kind: EndState;
  readonly reason: Reason;
}

export function isPaused(state: RunState): state is PausedRunState {
  return state.kind === 'WAITING_FOR_USER' || state.kind === 'SUSPENDED';
}
export function isWait(state: RunState): state is WaitRunState {
  return state.kind === 'WAITING_FOR_APPROVAL' || state.kind === 'WAITING_FOR_EFFECT' || state.kind === 'RECONCILING';
}
export function isEnded(state: RunState): state is EndedRunState {
  return state.kind === 'COMPLETED' || state.kind === 'FAILED' || state.kind === 'CANCELLED';
}

/** Why it waits or ended (R2.3); undefined while it works. */
export function reasonOf(state: RunState): Reason | undefined {
  if (isPaused(state) || isEnded(state)) return state.reason;
  switch (state.kind) {
    case 'WAITING_FOR_APPROVAL':
      return 'paused_for_approval';
    case 'WAITING_FOR_EFFECT':
      return 'waiting_for_effect';
    case 'RECONCILING':
      return state.ask ? 'reconcile_required' : undefined;
    default:
      return undefined;
  }
}
