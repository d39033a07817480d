/**
 * What the activities need of the outside. Adapters implement these; worker.ts joins them. Adapters never import each other.
 */
import type { AttemptState } from '../domain/attempt/states';
import type { ModelRequest, ModelToolCall } from '../domain/context/messages';
import type { QueryRows } from '../domain/contract/query/query-rows';
import type { Failure, ModelFacingError } from '../domain/failure/failure';
import type { Decision, PolicyFacts, Principal } from '../domain/policy/policy';
import type { AttemptRef } from '../protocol/ids';
import type { MergeChoices, Merged, ProcessResult } from './workspace-port';

export * from './workspace-port';

// ── Models ────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface ModelPort {
  /** Facts of a configured model; undefined where there is none of this name. The other methods throw then. */
  profile(name: string): ModelProfile | undefined;
  /** Upper bound of what a request may cost, for the reservation: tokens of the prompt by tokenizer plus `maxOutputTokens`. */
  estimate(name: string, request: ModelRequest): Usage;
  /**
   * One HTTP request, streamed, no hidden retry. Never throws for what the provider did: a failed try is an outcome.
   * Rejects only with the signal's reason once `signal` is aborted, after the connection is closed.
   */
  call(name: string, request: ModelRequest, options: ModelCallOptions): Promise<ModelOutcome>;
}
export interface ModelProfile {
  readonly name: string;
  /** Provider, model and a hash over where it is asked and how much it takes: another one is another model (R12.2). */
  readonly version: string;
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  /** Longest for one whole call, ms. */
  readonly timeoutMs: number;
  readonly quick: boolean;
}
export interface ModelCallOptions {
  readonly signal: AbortSignal;
  /** The same for every send of one try of a step: `<tenant>/<attempt>/s<step>.t<try>`. */
  readonly idempotencyKey: string;
  /** Fill `{tenant}`, `{attempt}` and `{step}` in configured headers. */
  readonly headerFacts: { readonly tenant: string; readonly attempt: string; readonly step: number };
  /** Preview text for live readers; never persisted (R10.2). */
  readonly onText?: (delta: string) => void;
}
/** Opens what one model call shows its answer through, to readers who look on (R10.2). */
export type OpenPreview = (ref: AttemptRef, place: PreviewPlace) => PreviewStream;
export interface PreviewPlace {
  readonly step: number;
  readonly try: number;
  readonly execution: number;
}
/** Neither throws nor waits: a preview that cannot be shown is lost. */
export interface PreviewStream {
  readonly show: (delta: string) => void;
  /** The answer is there, so what was not shown yet need not be. */
  readonly end: () => void;
}
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly costMicroUsd: number;
  /** Some of it is our estimate: the provider gave no number, or none that can be true. Whole numbers from 0 in any case. */
  readonly estimated?: true;
}
export type ModelOutcome =
  | {
      readonly kind: 'answered';
      readonly text: string;
      readonly calls: readonly ModelToolCall[];
      readonly finish: 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'other';
      readonly usage: Usage;
      /** The model that the provider says answered. */
      readonly servedBy: string;
      /** Price used, kept beside the cost: micro-USD per million tokens. */
      readonly price: Readonly<Record<string, number>>;
    }
  | {
      readonly kind: 'failed';
      readonly failure: Failure;
      /** For a person: status and the first 500 characters of the answer, secrets removed. */
      readonly detail: string;
      /** What was or may have been billed: estimated for a stream cut midway, zero where the request was refused. */
      readonly usage: Usage;
    };

// ── Tools ─────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface ToolPort {
  get(name: string): ToolDefinition | undefined;
  /** All names, in a stable order. */
  names(): readonly string[];
  /** Those offered to the model: the always-offered ones and `named`, less `forbidden`; in a stable order. */
  offered(named: readonly string[], forbidden: readonly string[]): readonly ToolDefinition[];
}
interface ToolBase {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments: an object, `additionalProperties: false` (R8.4). */
  readonly schema: Readonly<Record<string, unknown>>;
  /** What is wrong with parsed arguments, worded for the model; undefined where nothing is. Never coerces, never defaults. */
  readonly validate: (args: unknown) => string | undefined;
  /** Expected to be quick: may run as a local activity. Never for an `unsafe` write. */
  readonly quick: boolean;
  readonly timeoutMs: number;
  /** First 16 hex digits of the SHA-256 over name, description, schema and effect: what an approval was given for. */
  readonly version: string;
  /** What it says, also where it refuses, is content that nobody here vouches for; an attempt that is shown it is tainted (R5). */
  readonly untrusted?: true;
  /** Constraints that this tool lets the runtime hold it to, beside those that the runtime holds by itself (R5.2). */
  readonly enforces?: ToolEnforcers;
  /** Asked again and again until the answer changes: `limit` polls in a row with the same answer are no repeats (R7.3). */
  readonly polling?: { readonly limit: number };
  /** Arguments that change nothing of what is asked, such as a time limit: two calls that differ in them alone are one (R7.1). */
  readonly incidental?: readonly string[];
}
/** What a constraint needs to know of a call. Absent: a constraint of that kind cannot be enforced on this tool. */
export interface ToolEnforcers {
  /** Every path that the call would write or read, relative to the workspace. */
  readonly paths?: (args: never) => readonly string[];
  /** Every host that the call would reach. */
  readonly hosts?: (args: never) => readonly string[];
  /** The tool honours `ToolContext.readOnlyRole` and `WriteContext.readOnlyRole`. */
  readonly readOnlyRole?: true;
}

/**
 * A tool by what it touches. A write cannot be declared without its class, and the class brings what it needs: `probed`
 * demands a probe (E5, E6). `control` tools are the runtime's own (`finish`, `ask_user`, `update_plan`): nothing of them runs.
 */
export type ToolDefinition = ControlTool | ReadTool | WorkspaceTool | WriteTool;
export type RunnableTool = Exclude<ToolDefinition, ControlTool>;
export type ControlTool = ToolBase & { readonly effect: 'control' };
export type ReadTool = ToolBase & {
  readonly effect: 'none';
  readonly workspace: boolean;
  /** It reads data that is protected: each try leaves an event for auditors (R9.3). */
  readonly protected?: true;
  /** False: what it reads is no state of the world (an earlier output), so it is no look at a target (R8.6). */
  readonly looks?: false;
  /** What it looks at outside, as a write's `target` names it: it frees that alone (R8.6). Where it throws, it frees nothing. */
  readonly target?: (args: never) => string;
  /** What its answer is the content of, as people name it: a path, an address. Only such an answer can be cited (R3.3). */
  readonly source?: (args: never) => string;
  readonly run: (args: never, context: ToolContext) => Promise<ToolResult>;
};
/** Changes the attempt's own worktree and nothing else; a repeat begins at the last snapshot (E10). */
export type WorkspaceTool = ToolBase & {
  readonly effect: 'idempotent';
  readonly workspace: true;
  /** What it answers shows the worktree as it is: it is a look too, and never has to wait for one (R8.6). */
  readonly looks?: true;
  readonly run: (args: never, context: ToolContext) => Promise<ToolResult>;
};
/** Changes something outside (E1–E6). */
export type WriteTool = WriteBase &
  (
    | { readonly effect: 'idempotent' | 'deduplicated' | 'unsafe' }
    | {
        readonly effect: 'probed';
        readonly probe: (key: string, args: never, context: WriteContext) => Promise<ProbeResult>;
      }
  );
interface WriteBase extends ToolBase {
  readonly workspace: false;
  /** E1: names the business operation; absent or undefined: each action is an operation of its own. */
  readonly businessKey?: (args: never) => string | undefined;
  /** `task`: the key is the task's own; else the tenant's. */
  readonly scope?: 'tenant' | 'task';
  /** Names of the arguments that make the operation what it is; all where left out (E1). */
  readonly operationArguments?: readonly string[];
  /** E7: what it acts on, such as `order:1042`; its effect key where left out. */
  readonly target?: (args: never) => string;
  /** Whose credentials it uses; can be revoked as a whole. */
  readonly credentialDomain?: string;
  /** E4: one refusal under a key says that nothing sent under it took or will take effect. */
  readonly rejectionIsFinalForKey?: true;
  /** What it submits goes on after the call has returned (R15.2); `send` then answers `pending`. */
  readonly job?: JobWork;
  /** E9: what undoes a committed effect: another write tool, and its arguments. */
  readonly compensation?: {
    readonly tool: string;
    readonly args: (args: never, result: { readonly output: string; readonly downstreamId?: string }) => unknown;
  };
  /** E3: reads what `send` needs; gets no credentials and changes nothing. Its result is handed to `send`. */
  readonly prepare?: (args: never, context: WriteContext) => Promise<unknown>;
  /**
   * E3: one request to the other side, under `key`. `prepared` is what `prepare` returned, or the arguments. Whatever it
   * throws leaves the effect unknown (R4.5); an answer that says no is returned as `rejected`.
   */
  readonly send: (key: string, prepared: never, context: WriteContext) => Promise<SendResult>;
}
export interface WriteContext {
  readonly signal: AbortSignal;
  readonly tenant: string;
  readonly artifacts: ArtifactPort;
  /** Set where a constraint demands it; only for tools that enforce it. */
  readonly readOnlyRole?: true;
  /** Only in `send` of a tool with `job`: how the other side says by itself that the job has ended. */
  readonly callback?: JobCallback;
}
/** What a signal `effectSettled` on the workflow must carry; the token is a secret between the two sides, and the ledger holds its hash. */
export interface JobCallback {
  readonly workflowId: string;
  readonly actionId: string;
  readonly token: string;
}
/** Work of another system that takes longer than a call (R15.2). A throw of `poll` or `cancel` says nothing about the job. */
export interface JobWork {
  /** Longest that the job may take, ms from its submission; then it is asked to end, and the model is told that it failed. */
  readonly maxMs: number;
  /** How it goes; left out where the other side always calls back. Each call has the tool's `timeoutMs`. */
  readonly poll?: (handle: string, context: WriteContext) => Promise<JobAnswer>;
  /** Asks it to end; called again until it was done once without a throw. Without `poll`, it has then ended. */
  readonly cancel?: (handle: string, context: WriteContext) => Promise<void>;
  /** How events and texts show a handle, which may be an address with a key in it (R10.4); as it is where left out. */
  shownAs?(handle: string): string;
}
export type JobAnswer =
  /** `pollAfterMs`: when it wants to be asked again. */
  | { readonly kind: 'running'; readonly pollAfterMs?: number }
  /** `output` is what the model is shown. */
  | { readonly kind: 'succeeded' | 'failed'; readonly output: string };
export type SendResult =
  /** `output` is what the model is shown. `downstreamId`: the other side's own id of what was done. */
  | { readonly kind: 'committed'; readonly output: string; readonly downstreamId?: string }
  /** It was submitted, and its result comes later (R15.2); only of a tool with `job`. `handle`: what the other side calls it, to 500 characters. */
  | { readonly kind: 'pending'; readonly handle: string; readonly pollAfterMs?: number }
  | {
      readonly kind: 'rejected';
      readonly failure: Failure;
      readonly error: ModelFacingError;
      /** The other side was not asked: this says nothing about what else was sent under the key, whatever the tool declares. */
      readonly notSent?: true;
    };
/** E6. `not_committed_final`: cannot take effect any more either; `not_found`: this look found nothing, which proves nothing. */
export type ProbeResult =
  | { readonly kind: 'committed'; readonly output: string; readonly downstreamId?: string }
  | { readonly kind: 'not_committed_final' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'unknown' };

export interface ToolContext {
  readonly signal: AbortSignal;
  /** The worktree's folder, where the tool has `workspace: true`. */
  readonly root?: string;
  readonly artifacts: ArtifactPort;
  readonly tenant: string;
  /** The original that a pointer of the attempt's view names (R13.3); undefined where the record has none. */
  readonly recall: (pointer: string) => Promise<string | undefined>;
  /** Those of the installation; undefined where none are configured. */
  readonly databases?: DatabasePort;
  /** Merges a child of the attempt into the worktree (R14.4); only for a tool that changes it. */
  readonly mergeChild?: (child: string, choices: MergeChoices) => Promise<ChildMerge>;
  /** Runs a shell line in the attempt's sandbox; only where `root` is set. */
  readonly exec?: (line: string, options: { timeoutMs: number }) => Promise<ProcessResult>;
  /** Set where a constraint demands it; only for tools that enforce it. */
  readonly readOnlyRole?: true;
}
export type ChildMerge =
  | (Extract<Merged, { kind: 'merged' }> & { readonly state: AttemptState })
  | Extract<Merged, { kind: 'conflicts' }>
  /** The attempt has none of this name; it has not ended; it has no workspace. */
  | { readonly kind: 'no_child' | 'runs' | 'no_files' };
export type ToolResult =
  | { readonly ok: true; readonly output: string }
  | { readonly ok: false; readonly error: ModelFacingError; readonly failure: Failure };

// ── Policy ────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface PolicyPort {
  /** SHA-256 over the canonical form of all rules, first 16 hex digits; stands in every decision (R5.1). */
  readonly version: string;
  /** Never throws: a rule whose condition cannot be judged on these facts denies. */
  decide(facts: PolicyFacts): Decision;
  /** Undefined where configuration names nobody of this name. */
  principal(name: string): Principal | undefined;
  /** Whether any principal is configured; where none is, whoever answers is taken at their word. */
  readonly hasPrincipals: boolean;
}

// ── Versions ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** What runs here, beside what models, tools and policy say of themselves (R12.1). */
export interface VersionsPort {
  readonly code: string;
  /** Of the commands that are run here: platform, programs' base and sandbox. */
  readonly environment: string;
  /** Of each skill, by name. */
  readonly skills?: Readonly<Record<string, string>>;
}

// ── Databases ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** The user's own databases, by the names that configuration gives them; only ever read. */
export interface DatabasePort {
  /** In a stable order. */
  names(): readonly string[];
  /**
   * Runs one statement that reads, in a transaction of its own that cannot write. Throws DatabaseError; rejects with the signal's
   * reason once that is aborted, and then nothing of the statement runs on.
   */
  query(database: string, sql: string, options: QueryOptions): Promise<QueryRows>;
}
export interface QueryOptions {
  readonly signal: AbortSignal;
  /** Longest for connecting and running, ms; a database may be configured with less. */
  readonly timeoutMs: number;
  /** A result of more rows, or of more bytes as JSON, is refused and not cut. */
  readonly rowsMax: number;
  readonly bytesMax: number;
}

/** Why a query gave no result, typed (R8.2). `message` is for a person and a model; it holds no secret. */
export class DatabaseError extends Error {
  constructor(
    readonly failure: Failure,
    message: string,
    readonly suggestedAction: string,
  ) {
    super(message);
    this.name = 'DatabaseError';
  }
}

// ── Artifacts ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** Bodies by content hash (R10.3). A put is atomic and idempotent; a get checks the hash. */
export interface ArtifactPort {
  /** Returns the SHA-256 as 64 hex digits. Throws ArtifactError (`disk full` and the like). */
  put(tenant: string, body: Buffer): Promise<string>;
  /** Undefined where the tenant has no such artifact. */
  get(tenant: string, hash: string): Promise<Buffer | undefined>;
}

/** A failure of the object store, typed by its errno (R8.2). */
export class ArtifactError extends Error {
  constructor(
    readonly failure: Failure,
    message: string,
    readonly suggestedAction: string,
    /** `ENOSPC` and the like; undefined where the store answered with something that is not what was put. */
    readonly errno: string | undefined,
  ) {
    super(message);
    this.name = 'ArtifactError';
  }
}
