/**
 * What the activities need of the ledger.
 *
 *   I1  `transact` holds the attempt's row lock from its first statement to its commit, so what happens in one attempt
 *       has one order (M1, M7).
 *   I2  Reads of a transaction see what was committed when the lock was had; writes are kept and land together at the
 *       commit, or not at all.
 *   I3  Every write has a natural key; none is made twice.
 */
import type { AttemptState, Reason } from '../domain/attempt/states';
import type { Account, Limits } from '../domain/budget/account';
import type { Contract } from '../domain/contract/contract';
import type { Effect, EffectRef } from '../domain/effect/effect';
import type { FailureClass } from '../domain/failure/failure';
import type { StartSnapshot } from '../protocol/attempt';
import type { Answered, CallKind, Stop } from '../protocol/calls';
import type { EventContent, Visibility } from '../protocol/events';
import type { AttemptRef } from '../protocol/ids';
import type { Message } from '../protocol/messages';
import type {
  Approval,
  ApprovalAnswer,
  ApprovalKey,
  ApprovalState,
  EffectChange,
  EffectEvidence,
  EffectScene,
  NewApproval,
  NewEffect,
  OwnEffect,
  Revocation,
  RevocationAsk,
  SceneAsk,
} from './effect-rows';
import type { Usage } from './ports';

export * from './effect-rows';

export interface LedgerPort {
  /**
   * Throws LedgerUnavailableError where the database cannot be reached; whatever `work` throws rolls back. `work` is run
   * again, in a new transaction, where an effect that it read and writes was changed by another attempt in between.
   */
  transact<T>(ref: AttemptRef, scope: TransactionScope, work: (tx: AttemptTx) => Promise<T> | T): Promise<T>;
  /** The attempt's row as it stands, without its lock: for what only its own moves change. */
  attempt(ref: AttemptRef): Promise<AttemptRow>;
  /** The attempt's contract; rows never change, so adapters may keep them. */
  contract(ref: AttemptRef): Promise<Contract>;
  /** A proposed action; rows never change, so adapters may keep them. */
  action(ref: AttemptRef, step: number, index: number): Promise<ActionRow | undefined>;
  /**
   * The attempt's row as it stands, steps from `fromStep` on with their actions and observations, the inputs that belong
   * to them, and the task state; one round trip.
   */
  view(ref: AttemptRef, fromStep: number): Promise<ViewRows>;
  /** Evidence of one candidate, in no order. */
  evidence(ref: AttemptRef, candidate: number): Promise<readonly EvidenceRow[]>;
}

export class LedgerUnavailableError extends Error {
  constructor(override readonly cause: unknown) {
    super(`The ledger cannot be reached: ${String(cause)}`);
    this.name = 'LedgerUnavailableError';
  }
}

export interface TransactionScope {
  /** The move that the transaction belongs to; events and messages are written in its name. */
  readonly n: number;
  /** Messages that the answer must name, whatever move disposed of them. */
  readonly awaited?: readonly string[];
}

export interface AttemptTx {
  readonly n: number;
  readonly attempt: AttemptRow;
  /** The recorded answer of this move. */
  readonly answered: RecordedAnswer | undefined;
  /** Who works on this move, where somebody began. */
  readonly execution: ExecutionRow | undefined;
  /** Not yet taken, taken by this move, or awaited; in inbox order. */
  readonly messages: readonly InboxRow[];
  /** Highest ordinal of the attempt's inputs, and of those that are messages; counts what this transaction inserts. */
  readonly lastInput: number;
  readonly lastMessageInput: number;

  // Reads that few calls need, as it was when the lock was had.
  modelTry(step: number, tryNumber: number): Promise<OpenTry | undefined>;
  toolTry(step: number, index: number, tryNumber: number): Promise<OpenTry | undefined>;
  /** How many other actions of this attempt had this fingerprint. */
  repeats(fingerprint: string, step: number, index: number): Promise<number>;
  /** Actions of the newest step that nothing was observed of. */
  unobserved(): Promise<readonly { readonly index: number; readonly tool: string }[]>;
  /** The newest task state (R13.1), as it was written; undefined where there is none. */
  taskState(): Promise<unknown>;
  evidence(candidate: number): Promise<readonly EvidenceRow[]>;
  /** Of the newest candidate; empty where there was none. */
  newestEvidence(): Promise<readonly EvidenceRow[]>;
  /** Other live executions of this attempt (R11.3). */
  otherExecutions(): Promise<number>;

  // Effects. Locks are held to the commit, and what was read of an effect holds to the commit that changes it.
  /**
   * Locks the target and then the key within the tenant (E2, E7), and reads what decides a claim after both are had. One
   * target and key a transaction: throws for another.
   */
  effectScene(ask: SceneAsk): Promise<EffectScene>;
  /** Newest generation that this action owned, under whatever key; with its sends. */
  effectOf(step: number, index: number): Promise<OwnEffect | undefined>;
  /** Every effect of this attempt, oldest first. */
  ownEffects(): Promise<readonly Effect[]>;
  /** One generation, of whatever attempt. */
  effect(ref: EffectRef): Promise<Effect | undefined>;
  /** The first revocation that meets any of these (R4.9); `kind` and `value` as in the revocations table. */
  revoked(of: readonly RevocationAsk[]): Promise<Revocation | undefined>;
  /**
   * Tries of this tool that ran or run in the tenant's attempts within the last `withinMs` of database time, without those that never ran.
   * Takes a lock on the count, after those of `effectScene`: throws where that is called later in the transaction.
   */
  callsWithin(tool: string, withinMs: number): Promise<number>;
  /** What this attempt waits for (`waitForEffect`); undefined where it waits for nothing. */
  waitedEffect(): Promise<Effect | undefined>;
  /** When the first cancel that was taken had been stored, by the database's clock (R11.2); undefined where none was. */
  cancelRequestedAt(): Promise<Date | undefined>;
  /** The newest request of an action, with the answers that counted. */
  approval(step: number, index: number): Promise<Approval | undefined>;
  /** Requests of this attempt that are `open` or `granted`, oldest first. */
  waitingApprovals(): Promise<readonly Approval[]>;
  /** An action of this attempt before this one that asked for the same and was denied; what denied it. */
  deniedBefore(
    tool: string,
    argsHash: string,
    step: number,
    index: number,
  ): Promise<{ readonly code: string } | undefined>;
  /** Text of the observation of an action, of whatever attempt. */
  observationOf(effect: Pick<Effect, 'attempt' | 'step' | 'index'>): Promise<{ ok: boolean; text: string } | undefined>;
  /** The arguments of an action of whatever attempt of the tenant, as the model wrote them. */
  argumentsOf(effect: Pick<Effect, 'attempt' | 'step' | 'index'>): Promise<Body | undefined>;
  /** Whether the database's clock says that `ms` have passed since `since` (E6). */
  hasPassed(since: Date, ms: number): Promise<boolean>;

  // Writes.
  update(change: Partial<AttemptChange>): void;
  emit(event: EventContent, visibility?: Visibility): void;
  insert<T extends keyof Inserts>(table: T, row: Inserts[T]): void;
  /** Records that the object store holds a body of this attempt's tenant (R10.3). */
  keepArtifact(body: StoredBody): void;
  closeModelTry(key: { step: number; try: number; execution: number }, close: CloseModelTry): void;
  closeToolTry(key: { step: number; index: number; try: number; execution: number }, close: CloseToolTry): void;
  /** The owner is this transaction's move and `owner`. */
  insertEffect(row: NewEffect): void;
  /** Written only where the row's fence is still `fence` (E2); times are the ledger's. */
  updateEffect(ref: EffectRef, fence: number, change: EffectChange): void;
  addEvidence(ref: EffectRef, evidence: EffectEvidence): void;
  insertApproval(row: NewApproval): void;
  /** Whatever state it is in; `decided_at` is set with it. */
  closeApproval(key: ApprovalKey, state: ApprovalState): void;
  insertApprovalAnswer(key: ApprovalKey, answer: ApprovalAnswer): void;
  /** This attempt waits for the effect; replaces what it waited for. Undefined: it waits for none. */
  waitForEffect(ref: EffectRef | undefined): void;
  /** Marks a try's send as proven to have taken no effect, or says whether one was made. */
  markTry(
    key: { step: number; index: number; try: number; execution: number },
    mark: { proven: true } | { sent: boolean },
  ): void;
  dispose(messageId: string, as: 'taken' | 'rejected', why?: string): void;
  claim(execution: { id: string; worker: string; kind: CallKind; argsHash: string }): void;
  /** Marks this move's execution as ended without an answer, where it still is `execution` (M9). */
  endExecution(execution: string): void;
  answer(kind: CallKind, argsHash: string, answered: Answered): void;
}

export interface AttemptRow {
  readonly ref: AttemptRef;
  readonly start: StartSnapshot;
  /** The one in force: a revised goal is a new version. */
  readonly contractVersion: number;
  /** Newest step that had been proposed when the goal was last revised; null where it never was. */
  readonly revisedAfterStep: number | null;
  /** Who started it; empty where that is not known. */
  readonly startedBy: string;
  readonly tainted: boolean;
  readonly state: AttemptState;
  readonly reason: Reason | null;
  readonly modelStop: string | null;
  readonly turn: number;
  readonly step: number;
  readonly acked: number;
  readonly heard: number;
  readonly account: Account;
  readonly limits: Limits;
  /** What the attempt was started with, by part. */
  readonly versions: Readonly<Record<string, string>>;
  readonly baseCommit: string | null;
  readonly snapshot: string | null;
  /** No compaction is tried up to this step. */
  readonly compactAfter: number;
  /** Targets that are looked at before they are written to again (R8.6). */
  readonly staleTargets: readonly string[];
  readonly ended: boolean;
}
export interface AttemptChange {
  state: AttemptState;
  reason: Reason | null;
  modelStop: string | null;
  taskCompletion: string | null;
  turn: number;
  step: number;
  acked: number;
  heard: number;
  account: Account;
  limits: Limits;
  tainted: true;
  baseCommit: string;
  snapshot: string;
  contractVersion: number;
  revisedAfterStep: number;
  compactAfter: number;
  staleTargets: readonly string[];
  ended: true;
}
export interface RecordedAnswer {
  readonly kind: CallKind;
  readonly argsHash: string;
  readonly answered: Answered;
}
export interface ExecutionRow {
  readonly id: string;
  readonly kind: CallKind;
  readonly argsHash: string;
  /** Its worker's lease runs and it has not ended (M9). */
  readonly live: boolean;
}
export type InboxRow = Message & {
  readonly takenBy: number | null;
  readonly disposition: 'taken' | 'rejected' | null;
  readonly why: string | null;
  /** When it was stored, by the database's clock; what this transaction inserts has none yet. */
  readonly at?: Date;
};
export interface OpenTry {
  readonly execution: number;
  readonly closed: boolean;
  /** Usage held for it; zero for tools. */
  readonly reserved: Usage;
}
export interface ActionRow {
  readonly step: number;
  readonly index: number;
  readonly callId: string;
  readonly tool: string;
  /** As the model wrote them. */
  readonly args: Body;
  readonly argsHash: string;
}
/** A text in the row, or where it is kept (over 16 KiB). */
export type Body = { readonly text: string } | StoredBody;
/** In the object store. */
export interface StoredBody {
  readonly hash: string;
  readonly bytes: number;
}

export interface ViewRows {
  readonly attempt: AttemptRow;
  readonly steps: readonly {
    readonly step: number;
    readonly body: Body;
    readonly calls: readonly {
      readonly callId: string;
      readonly tool: string;
      readonly args: Body;
      readonly output: string | null;
    }[];
  }[];
  readonly inputs: readonly {
    readonly ordinal: number;
    readonly afterStep: number;
    readonly kind: 'message' | 'feedback';
    readonly text: string;
  }[];
  readonly taskState: unknown;
}
export interface EvidenceRow {
  readonly criterion: string;
  readonly met: boolean;
  readonly body: EvidenceBody;
}
export interface EvidenceBody {
  /** What was wrong, in words for the model; empty where the criterion is met. */
  readonly detail: string;
  readonly ran?: string;
  readonly exitCode?: number | null;
  readonly durationMs?: number;
  readonly output?: string;
  /** The whole output, where it was cut. */
  readonly artifact?: StoredBody;
}

export interface Inserts {
  inbox: { id: string; kind: string; body: unknown };
  inputs: {
    ordinal: number;
    turn: number;
    after_step: number;
    kind: 'message' | 'feedback';
    body: { text: string; by?: string; messageId?: string };
  };
  turns: { turn: number; first_step: number };
  /** Tries of a step are numbered over both purposes. */
  model_tries: {
    step: number;
    try: number;
    execution: number;
    model: string;
    reserved: Usage;
    purpose: 'step' | 'compaction';
  };
  steps: { step: number; turn: number; stop: Stop; body: Body; tokens: number };
  actions: {
    step: number;
    index: number;
    call_id: string;
    tool: string;
    effect: string;
    args: Body;
    args_hash: string;
  };
  tool_tries: {
    step: number;
    index: number;
    try: number;
    execution: number;
    fingerprint: string | null;
    /** Of the workspace that it acted on; null without one (R9.3). */
    snapshot: string | null;
    sent: boolean;
    /** The worker that runs it, and the decision that lets it (R5.1). */
    worker: string;
    rule: string;
    policy: string;
    /** A try that is over as it begins: it never ran. */
    closed?: CloseToolTry;
  };
  observations: {
    step: number;
    index: number;
    ok: boolean;
    body: { text: string };
    tokens: number;
    snapshot: string | null;
    /** 64 hex digits over the answer without what changes by itself (R7); null where nothing ran. */
    result_hash: string | null;
    failure_class: FailureClass | null;
    /** Failing tests that the output tells of; null where it tells of none (R7.2). */
    failing_tests: number | null;
  };
  task_states: { n: number; body: unknown };
  evidence: { candidate: number; criterion: string; met: boolean; snapshot: string | null; body: EvidenceBody };
  checkpoints: { n: number; body: unknown };
  projections: {
    ordinal: number;
    n: number;
    step: number;
    upto_step: number;
    contract_version: number;
    policy: string;
    made_by: 'summary' | 'mechanical' | 'inherited';
    tokens_before: number;
    tokens_after: number;
    body: Body;
  };
}
export interface CloseModelTry {
  outcome: 'answered' | 'failed' | 'lost' | 'interrupted';
  failure?: string;
  usage: Usage;
  price?: Readonly<Record<string, number>>;
}
export interface CloseToolTry {
  /** `not_run`: refused or answered before anything of it ran; `failure` says why. */
  outcome: 'ok' | 'error' | 'transient' | 'lost' | 'interrupted' | 'unknown' | 'not_run';
  failure?: string;
}
