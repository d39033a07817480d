import type { AttemptState, EndState, Reason } from '../domain/attempt/states';
import type { ExceededLimit } from '../domain/budget/account';
import type { TaskKind } from '../domain/contract/contract';
import type { EffectRef } from '../domain/effect/effect';
import type { PlannedAction, Rider, Stop } from './calls';
import type { AttemptRef } from './ids';
import type { Message } from './messages';

/**
 * What a run of the Attempt workflow starts with: facts fixed at the start, and where an earlier run stood.
 * Ids, numbers and short names only; continue-as-new carries this same object.
 */
export interface AttemptInput {
  readonly v: 1;
  readonly ref: AttemptRef;
  readonly start: StartSnapshot;
  readonly carried?: CarryOver;
}

/** Facts that the workflow needs and may not read anywhere. */
export interface StartSnapshot {
  readonly kind: TaskKind;
  readonly hasWorkspace: boolean;
  /** Ids of the contract's criteria, in order. */
  readonly criteria: readonly string[];
  /** Those of them that are sealed; left out where none is. */
  readonly sealed?: readonly string[];
  /** The model and its fallbacks, in order; `quick`: expected to answer fast enough for a local activity. */
  readonly models: readonly { readonly name: string; readonly quick: boolean; readonly timeoutMs: number }[];
  /** Flow version at the start (M3). */
  readonly flow: number;
  /** Steps after which a run continues as new; tests lower it. */
  readonly stepsPerRun: number;
  /** Reads of a proposal that run side by side (R14.2); one after another where left out, as in attempts of flow 1. */
  readonly parallelActionsMax?: number;
  /** The attempt is a compensation (E9): its one action was written at its start, and no model is asked. */
  readonly compensation?: { readonly action: PlannedAction; readonly effect: EffectRef };
  /** Workers have data folders of their own, so calls that need its worktree go to the host that has it; left out: one host. */
  readonly hosts?: 'many';
  /** The attempts that it was begun with, of which one is to be the result (R15.1); left out where it was begun alone. */
  readonly race?: Race;
  /** The search attributes (`HoldfastState` and its like) are registered here, and may be written. */
  readonly searchAttributes: boolean;
}

/** Attempts `first` to `first + of - 1` of a task: side by side, under one contract, and the first to meet it is the result. */
export interface Race {
  readonly first: number;
  readonly of: number;
}

/** The part of it that is the same for every attempt that begins here and now. */
export type RunSettings = Pick<
  StartSnapshot,
  'flow' | 'stepsPerRun' | 'parallelActionsMax' | 'hosts' | 'searchAttributes'
>;

/** Where a run stood when it continued as new, between two steps or in a pause. */
export interface CarryOver {
  readonly flow: number;
  readonly n: number;
  readonly step: number;
  readonly turn: number;
  readonly candidate: number;
  /** Index in `models` that answers at present. */
  readonly model: number;
  readonly activeMs: number;
  /** Next rider number, and those not acknowledged. */
  readonly nextRider: number;
  readonly riders: readonly Rider[];
  /** Signals seen so far, updates not counted: the ids of hand-typed messages (M4). */
  readonly signals: number;
  readonly prepared: boolean;
  /** The host that had its worktree when an answer last said so. */
  readonly workspaceHost?: string;
  /** States passed since the last rider, so that riders are the same wherever a run was cut. */
  readonly path: readonly AttemptState[];
  /** Messages that no answer has named: ids, and the few that were typed by hand (M4). */
  readonly wakes?: readonly string[];
  readonly messages?: readonly Message[];
  /** The pause that the run was cut in; absent between two steps. */
  readonly paused?: CarriedPause;
}

/** A pause with all that it takes to go on from it; what `SUSPENDED` goes on with is itself such a place. */
export type CarriedPause =
  | { readonly state: 'WAITING_FOR_USER'; readonly reason: Reason }
  /** `limit`: what was used up, where that is the reason; `least`: the smallest value of it that lets the attempt go on. */
  | {
      readonly state: 'SUSPENDED';
      readonly reason: Reason;
      readonly limit?: ExceededLimit;
      readonly least?: number;
      readonly resume?: ResumePoint;
    }
  /** It cannot end while an effect is open (M8). `round`: looks so far; `ask`: only a person can tell. */
  | { readonly state: 'CANCELLING'; readonly round: number; readonly ask: boolean }
  | CarriedWait;
/** One action of a batch is waited for; it is the first of `batch.actions`. */
export type CarriedWait =
  | {
      readonly state: 'WAITING_FOR_APPROVAL';
      readonly batch: Batch;
      readonly binding: string;
      readonly expiresAt: number;
    }
  /** `effect`: the one in the way, or, where `lookAt` says when its job is looked at, the action's own (R15.2). */
  | { readonly state: 'WAITING_FOR_EFFECT'; readonly batch: Batch; readonly effect: string; readonly lookAt?: number }
  /** `round`: looks at the effect so far; `ask`: a person is waited for. */
  | { readonly state: 'RECONCILING'; readonly batch: Batch; readonly round: number; readonly ask: boolean };
/** Where a suspended attempt goes on; absent: at the next step. */
export type ResumePoint =
  | CarriedWait
  | { readonly state: 'EXECUTING_TOOL'; readonly batch: Batch }
  | { readonly state: 'WAITING_FOR_USER'; readonly reason: Reason }
  | { readonly state: 'VERIFYING' | 'NEEDS_REPAIR' | 'COMMITTING' };
/** Actions of the newest proposal that have no observation yet, in order, and how the proposal ended. */
export interface Batch {
  readonly actions: readonly PlannedAction[];
  readonly stop: Stop;
  /** Tries that the first action has had, and looks at its effect: both go on counting after a wait. */
  readonly tries?: number;
  readonly round?: number;
  /** Tries that others of the actions have had beside one that is waited for, by index (R14.3). */
  readonly triesBeside?: Readonly<Record<number, number>>;
  /** Actions whose jobs run elsewhere, by index: the last of `actions` (R15.2). */
  readonly pending?: Readonly<Record<number, PendingJob>>;
  /** One of its actions has shown the attempt untrusted content, so the order of the others does not hang on that any more. */
  readonly tainted?: true;
}

/** `effect`: the key of its submission. `lookAt`: when to look at it, ms since the epoch, by the workflow's clock. */
export interface PendingJob {
  readonly effect: string;
  readonly lookAt: number;
}

export interface AttemptResult {
  readonly state: EndState;
  readonly reason: Reason;
}
