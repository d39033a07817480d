import type { EndState, Reason } from '../domain/attempt/states';
import type { ExceededLimit } from '../domain/budget/account';
import type { FaultCode } from '../domain/context/validate-projection';
import type { Failure } from '../domain/failure/failure';
import type { RiderEvent } from './events';
import type { AttemptRef } from './ids';
import type { Message, MessageKind } from './messages';

/**
 * The numbered calls of an Attempt (protocol.md, Moves).
 *
 *   I1  `(attempt, n)` has one answer. `kind` and `args` are compared on a repeat; nothing else of a call is (M1).
 *   I2  The workflow branches on answers alone (M3), so an answer holds ids, hashes and small facts, never content.
 *   I3  An activity that fails has given no answer; the same number is called again (M2).
 */
export interface Call<Kind extends CallKind = CallKind> {
  readonly ref: AttemptRef;
  readonly n: number;
  readonly args: CallArgs[Kind];
  /** The workflow's clock, ms since the epoch; limits are judged by it, and it is never compared (M3). */
  readonly now: number;
  /** Time in states that are billed, in ms, by the workflow's clock. */
  readonly activeMs: number;
  /** What no answer has acknowledged yet, in order (M7). */
  readonly riders?: readonly Rider[];
  /**
   * Messages typed by hand that no answer has named yet (M4); the transaction inserts those whose id is absent, before it
   * takes any. They have no number: what arrived first differs between two decisions of one task, and a number that one
   * decision gave to an event would acknowledge another decision's message, which would then be lost.
   */
  readonly messages?: readonly Message[];
  /** Message ids that signals brought and no answer has named yet (M4); those of `messages` are not repeated here. */
  readonly wakes?: readonly string[];
  /**
   * Number of the first of the calls that this one is sent side by side with. A cancel or a request to suspend that one of them
   * took, from that number on, stops the others too (M5).
   */
  readonly beside?: number;
}

export interface Rider {
  readonly r: number;
  readonly event: RiderEvent;
}

export interface Answered<Kind extends CallKind = CallKind> {
  readonly answer: CallAnswers[Kind];
  /** Messages disposed of, in inbox order; each id appears in the answer of one move only, or again where a wake asked for it. */
  readonly named?: readonly NamedMessage[];
  /** Highest rider number that is in the ledger. */
  readonly acked: number;
  /** The host that has the worktree; only where there are several. Where the next call is sent, and nothing else, hangs on it. */
  readonly host?: string;
}
export interface NamedMessage {
  readonly id: string;
  readonly as: 'taken' | 'rejected' | 'unknown';
  readonly kind?: MessageKind;
  readonly why?: string;
}

/** What an action is to the workflow: enough to plan and to route it. */
export interface PlannedAction {
  readonly index: number;
  readonly tool: string;
  /** First 16 hex digits of the SHA-256 over the tool's name and the arguments as the model wrote them. */
  readonly hash: string;
  /** Expected to be quick: may run as a local activity. */
  readonly quick: boolean;
  /** What it submits goes on elsewhere, so others of its kind are submitted beside it (R15.2); only of several actions. */
  readonly job?: true;
  /** It works in the attempt's worktree, which one of several hosts has. */
  readonly workspace?: true;
  /** Longest that the tool may run, ms; only where it is not quick. */
  readonly timeoutMs?: number;
  /**
   * It changes nothing, and is one of several of its proposal (R14.1). `untrusted`: it shows content that nobody vouches for to
   * an attempt that had seen none. Absent: it runs alone.
   */
  readonly reads?: 'trusted' | 'untrusted';
}

/** How a model's answer ended (R3.1, R3.2). `actions` go first in every case. */
export type Stop =
  | { readonly kind: 'actions' }
  /** Text without a call: the final answer of a dialog, a plain stop elsewhere. */
  | { readonly kind: 'text' }
  | { readonly kind: 'finish'; readonly status: 'done' | 'blocked' | 'refused' }
  | { readonly kind: 'ask' }
  /** The provider's own refusal or content filter. */
  | { readonly kind: 'refusal' }
  /** Cut at the output limit without a call; the model was told so and goes on. */
  | { readonly kind: 'truncated' }
  /** No model proposed it: the attempt is a compensation, whose one action was given at its start (E9). */
  | { readonly kind: 'compensation' };

export interface CallArgs {
  /** Makes or finds the attempt's worktree and its dependency layer. */
  prepare: Record<string, never>;
  /**
   * `model` counts along the fallback order; `try` counts tries of this step over all models and both purposes.
   * `compacted`: what was done to the view of this step for this model before; at most two compactions a step and model.
   */
  think: {
    readonly step: number;
    readonly turn: number;
    readonly model: number;
    readonly try: number;
    readonly compacted?: Compacted;
  };
  /**
   * Makes the projection of the older steps that the view of `step` needs (R13.2). `mechanical`: without a model. `tight`: the
   * provider says that the view is too long, so half as much is aimed at. `rejected`: why the last summary was of no use.
   */
  compact: {
    readonly step: number;
    readonly turn: number;
    readonly model: number;
    readonly try: number;
    readonly mechanical?: true;
    readonly tight?: true;
    readonly rejected?: FaultCode;
  };
  act: {
    readonly step: number;
    readonly index: number;
    readonly hash: string;
    readonly try: number;
  };
  /** Looks what became of an effect that nobody can tell of (E6); `round` counts the looks at it. */
  probe: { readonly step: number; readonly index: number; readonly round: number };
  verify: { readonly candidate: number; readonly criterion: string };
  /** The same of a sealed criterion, where the agent cannot reach (R3.4). */
  verifySealed: { readonly candidate: number; readonly criterion: string };
  /** Makes what the contract commits of a verified candidate; honours a cancel before it. */
  commit: { readonly candidate: number };
  record: RecordArgs;
  settle: Record<string, never>;
}
export type RecordArgs =
  /** Lands riders and takes messages; changes nothing else. */
  | { readonly at: 'flush' }
  /** Enters or stays in a pause; called again at every wake. */
  | {
      readonly at: 'pause';
      readonly state: 'WAITING_FOR_USER' | 'SUSPENDED';
      readonly reason: Reason;
      /** The pause goes on with the actions that have no observation yet; otherwise they are over when it ends. */
      readonly keepsBatch?: true;
    }
  /** Enters or stays in a wait for what one action needs; called again at every wake. */
  | {
      readonly at: 'wait';
      readonly state: WaitState;
      readonly step: number;
      readonly index: number;
    }
  /** Writes the feedback of a failed candidate and charges the repair budget. */
  | { readonly at: 'repair'; readonly candidate: number }
  /** M8: the end, decided once. */
  | { readonly at: 'end'; readonly state: EndState; readonly reason: Reason; readonly candidate: number };

/** States in which one action of a batch is waited for, with the batch behind it (R5.4). */
export type WaitState = 'WAITING_FOR_APPROVAL' | 'WAITING_FOR_EFFECT' | 'RECONCILING';

/** The last compaction of a step: as the plan asked for it, or because a provider had refused the view as too long. */
export type Compacted = 'normal' | 'tight';

export type CallKind = keyof CallArgs;

export interface Exceeded {
  readonly kind: 'over_budget';
  readonly limit: ExceededLimit;
  /** The smallest value of the limit under which the refused call is made, as people write it. */
  readonly least?: number;
}
/** A cancel was taken in the transaction that gave this answer (M5), or a request to suspend, where it says so. */
export interface Interrupted {
  readonly kind: 'interrupted';
  readonly suspend?: true;
}
/** No execution of this number ever answered, and `giveUp` closed it (M2). */
export interface GaveUp {
  readonly kind: 'gave_up';
  readonly code: string;
  /** What it had sent may have taken effect: the action is reconciled. */
  readonly unknown?: true;
}
export interface Failed {
  readonly kind: 'failed';
  readonly failure: Failure;
}

export interface CallAnswers {
  prepare: { readonly kind: 'ready'; readonly snapshot: string } | Failed | Interrupted | GaveUp;
  think:
    | { readonly kind: 'proposal'; readonly stop: Stop; readonly actions: readonly PlannedAction[] }
    /** The view is to be compacted first, and the same step asked again; never for a step that was compacted tightly. */
    | { readonly kind: 'compact'; readonly tight?: true }
    | Failed
    | Exceeded
    | Interrupted
    | GaveUp;
  compact: /** A new projection is installed (R13.4). */
    | { readonly kind: 'compacted'; readonly by: 'summary' | 'mechanical' }
    /** The summary was of no use, and the view is as it was. */
    | { readonly kind: 'rejected'; readonly code: FaultCode }
    /** Nothing would become smaller, so nothing was installed. */
    | { readonly kind: 'unchanged' }
    | Failed
    | Exceeded
    | Interrupted
    | GaveUp;
  act: /** The observation is in the ledger; `loop` says that the ladder's last rung was reached (R7.3). */
    | { readonly kind: 'observed'; readonly ok: boolean; readonly loop?: boolean }
    /** Refused by policy or by a person; the model sees it (R5.2). */
    | { readonly kind: 'denied'; readonly code: string }
    /** The action waits for an answer bound to it (R5.3). `expiresAt`: ms since the epoch, by the workflow's clock. */
    | { readonly kind: 'needs_approval'; readonly binding: string; readonly expiresAt: number }
    /** It was sent, and nobody can tell here what became of it (R4.5). */
    | { readonly kind: 'unknown' }
    /** It was submitted, and its job is not done (R15.2). `lookAt`: when to look again, ms since the epoch, by the workflow's clock. */
    | { readonly kind: 'pending'; readonly effect: string; readonly lookAt: number }
    /** Another effect on its target is open (E7). `effect`: that one's idempotency key. */
    | { readonly kind: 'target_busy'; readonly effect: string }
    | Failed
    | Exceeded
    | Interrupted
    | GaveUp;
  probe: /** `act`: settled, or a resend is permitted; `wait`: look again later; `ask`: only a person can tell (R4.7). */
  { readonly kind: 'probed'; readonly next: 'act' | 'wait' | 'ask' } | Interrupted | GaveUp;
  verify:
    | { readonly kind: 'checked'; readonly met: boolean; readonly feedback: boolean }
    /** A person is asked about the candidate, by its `finish`; then it is verified anew (R3.3). */
    | {
        readonly kind: 'asks';
        readonly action: PlannedAction;
        readonly binding: string;
        readonly expiresAt: number;
      }
    | Failed
    | Exceeded
    | Interrupted
    | GaveUp;
  verifySealed: { readonly kind: 'checked'; readonly met: boolean } | Failed | Exceeded | Interrupted | GaveUp;
  commit:
    | { readonly kind: 'committed' }
    /** The goal was revised after the candidate was proposed: nothing is committed. `turn` is the turn to go on in. */
    | { readonly kind: 'said'; readonly turn: number }
    | Failed
    | Exceeded
    | Interrupted
    | GaveUp;
  record:
    | { readonly kind: 'none' }
    /** The user said something that the model has not seen. `turn` is the turn to go on in. */
    | { readonly kind: 'said'; readonly turn: number }
    | { readonly kind: 'repair' }
    | Exceeded
    | { readonly kind: 'cancel' }
    /** What a `wait` waited for is there: `act` decides again (R5.3, E7, R4.7). `ready`: indices whose jobs are to be looked at (R15.2). */
    | { readonly kind: 'go'; readonly ready?: readonly number[] }
    | { readonly kind: 'suspend' }
    | { readonly kind: 'resume' }
    /** M8: what the row says, whoever wrote it. */
    | { readonly kind: 'ended'; readonly state: EndState; readonly reason: Reason };
  settle: /** `open`: an effect of the attempt is UNKNOWN still, so it cannot end (M8); `ask`: only a person can tell. */
    | { readonly kind: 'open'; readonly ask: boolean }
    | { readonly kind: 'ended'; readonly state: EndState; readonly reason: Reason };
}

/** `giveUp` is not numbered: it answers number `n` of the call it names, once nobody else can (M2). */
export interface GiveUpArgs {
  readonly call: Call;
  readonly kind: CallKind;
  readonly code: string;
}

/** The activities by the names that a history holds. */
export type Activities = { [Kind in CallKind]: (call: Call<Kind>) => Promise<Answered<Kind>> } & {
  giveUp(args: GiveUpArgs): Promise<Answered>;
};

/** Types of ApplicationFailure that the workflow tells apart (M2). */
export const failureTypes = {
  /** The ledger cannot be reached: call again, without counting. */
  ledgerUnavailable: 'LedgerUnavailable',
  /** The execution was superseded, or ended without an answer (shutdown): call again, counted. */
  executionLost: 'ExecutionLost',
  /** A routing reply, stored nowhere: another host has the worktree, and it lives; its name is the detail. Not counted. */
  elsewhere: 'Elsewhere',
  /** The same number with another kind or other arguments: a bug; fail the workflow task. */
  moveMismatch: 'MoveMismatch',
} as const;
