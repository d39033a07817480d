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
import type { StoredCheckpoint } from '../domain/checkpoint/read-checkpoint';
import type { Contract } from '../domain/contract/contract';
import type { Effect, EffectRef } from '../domain/effect/effect';
import type { StaleTarget } from '../domain/failure/stale-targets';
import type { TrailSoFar } from '../domain/progress/trail';
import type { StartSnapshot } from '../protocol/attempt';
import type { Answered, CallKind } from '../protocol/calls';
import type { EventContent, Visibility } from '../protocol/events';
import type { AttemptRef } from '../protocol/ids';
import type { Message } from '../protocol/messages';
import type { BundleRow } from './bundle-rows';
import type { ChildOrigin, ChildRow, NewChild } from './child-rows';
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
  OperationAsk,
  OwnEffect,
  Revocation,
  RevocationAsk,
  SceneAsk,
} from './effect-rows';
import type { CloseModelTry, CloseToolTry, Inserts } from './insert-rows';
import type { JobChange, JobRow, Place } from './job-rows';
import type { Usage } from './ports';
import type { AnsweredCall, Body, EvidenceRow, ItemRecords, ProjectionRow, StoredBody } from './record-rows';

export * from './bundle-rows';
export * from './child-rows';
export * from './effect-rows';
export * from './insert-rows';
export * from './job-rows';
export * from './record-rows';

export interface LedgerPort {
  /**
   * Throws LedgerUnavailableError where the database cannot be reached; whatever `work` throws rolls back. `work` is run
   * again, in a new transaction, where an effect that it read and writes was changed by another attempt in between.
   */
  transact<T>(ref: AttemptRef, scope: TransactionScope, work: (tx: AttemptTx) => Promise<T> | T): Promise<T>;
  /** The attempt's row as it stands, without its lock: for what only its own moves change. */
  attempt(ref: AttemptRef): Promise<AttemptRow>;
  /**
   * A version of the attempt's contract: the one that it was started with where left out, of which a later one has the same in
   * everything but the goal's revisions. Rows never change, so adapters may keep them.
   */
  contract(ref: AttemptRef, version?: number): Promise<Contract>;
  /** A proposed action; rows never change, so adapters may keep them. */
  action(ref: AttemptRef, step: number, index: number): Promise<ActionRow | undefined>;
  /**
   * The attempt's row as it stands, its newest projection, the steps that this one leaves to be shown with their actions and
   * observations, the inputs that belong to them, every message, and the task state; one round trip.
   */
  view(ref: AttemptRef): Promise<ViewRows>;
  /** Steps of the record, ascending, both ends included, whatever the view shows of them (R13.3). */
  history(ref: AttemptRef, from: number, upto: number): Promise<ViewRows['steps']>;
  /** One input; undefined where there is none of this ordinal. */
  input(ref: AttemptRef, ordinal: number): Promise<Pick<ViewRows['inputs'][number], 'kind' | 'text'> | undefined>;
  /** What a compacted view keeps of the steps up to `uptoStep`, and of the whole attempt where that binds it (R13.2). */
  itemRows(ref: AttemptRef, uptoStep: number): Promise<ItemRecords>;
  /** An attempt that this one descends from, by a fork or in its Thread, whose record it may read; undefined where `id` names none. */
  ancestor(ref: AttemptRef, id: string): Promise<AttemptRef | undefined>;
  /** A child that this attempt has begun, whether it runs or not; undefined where `id` names none. */
  child(ref: AttemptRef, id: string): Promise<AttemptRef | undefined>;
  /** Evidence of one candidate, in no order. */
  evidence(ref: AttemptRef, candidate: number): Promise<readonly EvidenceRow[]>;
  /** Calls of these tools that succeeded, in the order of the record. */
  answered(ref: AttemptRef, tools: readonly string[]): Promise<readonly AnsweredCall[]>;
  /**
   * The bundles that a snapshot of the tenant is made from, in the order in which they are read; none where the ledger keeps none of
   * it. Rows never change.
   */
  bundles(tenant: string, snapshot: string): Promise<readonly BundleRow[]>;
  /** Sequence of the attempt's first event of this type; undefined where it has none. */
  firstEvent(ref: AttemptRef, type: string): Promise<number | undefined>;
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
  /** First number of the moves that this one is made side by side with; what they took is shown too. */
  readonly beside?: number;
}

export interface AttemptTx {
  readonly n: number;
  readonly attempt: AttemptRow;
  /** The recorded answer of this move. */
  readonly answered: RecordedAnswer | undefined;
  /** Who works on this move, where somebody began. */
  readonly execution: ExecutionRow | undefined;
  /** Not yet taken, taken by this move or by one from `beside` on, or awaited; in inbox order. */
  readonly messages: readonly InboxRow[];
  /** Highest ordinal of the attempt's inputs, and of those that are messages; counts what this transaction inserts. */
  readonly lastInput: number;
  readonly lastMessageInput: number;

  // Reads that few calls need, as it was when the lock was had.
  modelTry(step: number, tryNumber: number): Promise<OpenTry | undefined>;
  toolTry(step: number, index: number, tryNumber: number): Promise<OpenTry | undefined>;
  /** Snapshots that the tries of an action which ran or run acted on, each once, in no order (R9.3). */
  triedSnapshots(step: number, index: number): Promise<readonly string[]>;
  /** What this attempt's calls have shown up to here; read from it at once, for it goes on with the attempt (R7). */
  trail(): Promise<TrailSoFar>;
  /** Actions of the newest step that nothing was observed of. */
  unobserved(): Promise<readonly { readonly index: number; readonly tool: string }[]>;
  /** The newest task state (R13.1), as it was written; undefined where there is none. */
  taskState(): Promise<unknown>;
  /** The contract in force. */
  contract(): Promise<Contract>;
  /**
   * The number of this version of the task's contract, which is new where its hash is. Stored at once, in this transaction, and
   * holds off starts of the task until it ends.
   */
  newContract(contract: Contract): Promise<number>;
  evidence(candidate: number): Promise<readonly EvidenceRow[]>;
  /** Of the newest candidate; empty where there was none. */
  newestEvidence(): Promise<readonly EvidenceRow[]>;
  /** Other live executions of this attempt (R11.3). */
  otherExecutions(): Promise<number>;
  /** Whether a worker of this host has a lease, by the ledger's clock (M9). */
  hostLives(host: string): Promise<boolean>;
  /** What a checkpoint says beside the attempt's own row (R12.1); one round trip, whose cost does not grow with the attempt. */
  standing(): Promise<Standing>;
  /** As it was written, by whatever version (R12.2); undefined where there is none. */
  newestCheckpoint(): Promise<StoredCheckpoint | undefined>;
  /** The versions that `versionsNoted` is the hash of, as they were written; undefined where there are none. */
  newestVersions(): Promise<unknown>;
  /**
   * What the tenant's attempts were billed and hold since then, or ever, in millionths of a US dollar, by the ledger's clock;
   * without what this transaction changes. Holds off every other look at it until the transaction ends, so that two attempts
   * cannot both have what is left (R6.2): the last lock that a transaction takes.
   */
  tenantCost(since: Date | undefined): Promise<number>;
  /**
   * Repairs that other attempts of the task that act for the same end have had (R3.4). Holds off every other look at them until the
   * transaction ends, so that two attempts cannot both have the last one.
   */
  kinRepairs(): Promise<number>;

  /**
   * For an attempt whose task has others that act for the same end (kin.ts): the key under which this action's operation is known. Of
   * the effect that it has itself; else of the first one of kin that stands or is not known, or may still happen, and that has answered
   * no call of this attempt yet, so that a second call is the second one's. Undefined, without a round trip, where there is no kin.
   * Holds off kin that ask for the same operation until the transaction ends: throws after `effectScene`.
   */
  kinKey(operation: OperationAsk, step: number, index: number): Promise<string | undefined>;

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
  /** An action of this attempt before this one that asked for the same and was denied, and not just overruled by a revised goal. */
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

  // Attempts begun side by side (R15.1). Each throws for an attempt that was begun alone, and is written with the transaction.
  /**
   * Asks to be the one of them that hands its candidate over, before the transaction writes. `busy`: another is at it, and may yet
   * fail. `lost`: another was COMPLETED.
   */
  holdRace(): Promise<RaceHold>;
  /** Lets another be it; changes nothing where this attempt is not. */
  leaveRace(): Promise<void>;
  /** Stores a cancel for each of the others that has not ended. Waits for their transactions. */
  cancelRivals(reason: string): Promise<void>;

  // Remote jobs (R15.2).
  /** The job that this action submitted. */
  job(of: Place): Promise<JobRow | undefined>;
  /** Jobs of the step that the model has not been told the end of, in the order of their actions. */
  unobservedJobs(step: number): Promise<readonly JobRow[]>;
  /** Jobs of this attempt that have not ended, in the order of their actions. */
  runningJobs(): Promise<readonly JobRow[]>;
  /** Whether a send of this action gave the other side the token with this hash. */
  isJobToken(of: Place, hash: string): Promise<boolean>;

  // Child attempts (R15.1).
  /** Those that run, or whose end the model has not been told, in the order of their actions. */
  openChildren(): Promise<readonly ChildRow[]>;
  /** Descendants of this attempt's root that run. Holds off every other look at them until the transaction ends. */
  liveChildren(): Promise<number>;
  /** Stored at once, in this transaction; once an action. */
  newChild(child: NewChild): Promise<AttemptRef>;

  // Writes.
  update(change: Partial<AttemptChange>): void;
  emit(event: EventContent, visibility?: Visibility): void;
  insert<T extends keyof Inserts>(table: T, row: Inserts[T]): void;
  /** Records a snapshot's bundle, which the object store holds; once a snapshot and tenant. */
  keepBundle(bundle: BundleRow): void;
  /** Records that the object store holds a body of this attempt's tenant (R10.3). */
  keepArtifact(body: StoredBody): void;
  closeModelTry(key: { step: number; try: number; execution: number }, close: CloseModelTry): void;
  closeToolTry(key: { step: number; index: number; try: number; execution: number }, close: CloseToolTry): void;
  /** The owner is this transaction's move and `owner`. */
  insertEffect(row: NewEffect): void;
  /** Written only where the row's fence is still `fence` (E2); times are the ledger's. */
  updateEffect(ref: EffectRef, fence: number, change: EffectChange): void;
  addEvidence(ref: EffectRef, evidence: EffectEvidence): void;
  /** Once a job and transaction. */
  changeJob(of: Place, change: JobChange): void;
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

export type RaceHold = 'mine' | 'busy' | 'lost';

export interface AttemptRow {
  readonly ref: AttemptRef;
  readonly start: StartSnapshot;
  /** The conversation that it is part of, by its number in the ledger. */
  readonly thread: number;
  /** Null where it begins at the beginning. */
  readonly forkedFrom: ForkOrigin | null;
  /** Null where no other attempt asked for it (R15.1). */
  readonly child: ChildOrigin | null;
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
  /** The host that has its worktree; null before one is made, and where one host is all there is. */
  readonly host: string | null;
  /** No compaction is tried up to this step. */
  readonly compactAfter: number;
  /** Hash of the versions that it last went on beside (R12.2); null before its first call. */
  readonly versionsNoted: string | null;
  /** Targets that are looked at before they are written to again (R8.6). */
  readonly staleTargets: readonly StaleTarget[];
  readonly ended: boolean;
}
/** Where a forked attempt begins (R12.3). */
export interface ForkOrigin {
  /** Id of the other attempt, and the move of its checkpoint. */
  readonly attempt: string;
  readonly n: number;
  readonly snapshot: string | null;
  /** Attempts that it comes from, by their numbers in the ledger, the oldest first. */
  readonly ancestors: readonly number[];
}
/**
 * `evidence`: of the newest candidate. `effects`, the newest first: every one of which the truth is open, and of those that took
 * effect one more than a checkpoint names.
 */
export interface Standing {
  readonly evidence: readonly Pick<EvidenceRow, 'criterion' | 'met'>[];
  readonly effects: readonly Pick<Effect, 'step' | 'index' | 'phase'>[];
  /** Those that run, in order. */
  readonly jobs: readonly Pick<JobRow, 'step' | 'index' | 'tool' | 'handle'>[];
  readonly children: readonly (Place & { readonly child: string })[];
  /** Ordinal of the newest projection; 0 where there is none. */
  readonly projection: number;
  /** The newest whole checkpoint, as it was written, on which a short one can lean. */
  readonly whole: { readonly n: number; readonly body: unknown } | null;
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
  host: string;
  contractVersion: number;
  revisedAfterStep: number;
  compactAfter: number;
  versionsNoted: string;
  staleTargets: readonly StaleTarget[];
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

export interface ViewRows {
  readonly attempt: AttemptRow;
  /** Stands for the steps up to `uptoStep`; null where none was made. */
  readonly projection: ProjectionRow | null;
  /**
   * Prompt tokens of the newest proposal, as they were reserved for and as the provider counted them. A request for a summary has no
   * tools and one long message, and may have gone to another model: it does not tell how a view is counted.
   */
  readonly counted: { readonly model: string; readonly reserved: number; readonly reported: number } | null;
  /** What the work waits for: effects whose truth is open, and requests that nobody has answered. */
  readonly waiting: Pick<ItemRecords, 'effects' | 'approvals'>;
  /** The newest call whose output told of tests, and how many failed; null where none did (R7.2). */
  readonly lastTest: { readonly args: Body; readonly failing: number } | null;
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
  /** Highest ordinal of the attempt's inputs; feedback that goes with a hidden step is not among `inputs`. */
  readonly lastInput: number;
  readonly taskState: unknown;
}
