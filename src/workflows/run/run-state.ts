import type { EndState, Reason } from '../../domain/attempt/states';
import type { PlannedAction, Stop } from '../../protocol/calls';

/** Where an Attempt is, with what that state needs; the ledger holds everything else. */
export type RunState = ActiveRunState | EndedRunState;

export type ActiveRunState =
  /** Before its workspace is there. */
  | { readonly kind: 'CREATED' }
  | { readonly kind: 'ASSEMBLING_CONTEXT' }
  | { readonly kind: 'WAITING_FOR_MODEL' }
  /** `actions`: those of the newest proposal that have not run; `stop`: how the proposal ended. */
  | { readonly kind: 'DECIDING'; readonly actions: readonly PlannedAction[]; readonly stop: Stop }
  | { readonly kind: 'EXECUTING_TOOL'; readonly actions: readonly PlannedAction[]; readonly stop: Stop }
  | { readonly kind: 'VERIFYING' }
  | { readonly kind: 'NEEDS_REPAIR' }
  | { readonly kind: 'CANDIDATE_VERIFIED' }
  | { readonly kind: 'COMMITTING' }
  | { readonly kind: 'CANCELLING' }
  | PausedRunState;

/** Nothing runs and nothing is billed until a message comes. */
export interface PausedRunState {
  readonly kind: 'WAITING_FOR_USER' | 'SUSPENDED';
  readonly reason: Reason;
}

export interface EndedRunState {
  readonly kind: EndState;
  readonly reason: Reason;
}

export function isPaused(state: RunState): state is PausedRunState {
  return state.kind === 'WAITING_FOR_USER' || state.kind === 'SUSPENDED';
}
export function isEnded(state: RunState): state is EndedRunState {
  return state.kind === 'COMPLETED' || state.kind === 'FAILED' || state.kind === 'CANCELLED';
}
