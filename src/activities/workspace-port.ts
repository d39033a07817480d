import type { BranchFit } from '../domain/contract/branch-fit';
import type { BroughtFiles, WorkspaceSpec } from '../domain/contract/contract';
import type { Failure } from '../domain/failure/failure';

export interface WorkspaceId {
  readonly tenant: string;
  readonly attempt: string;
}
/** Where the files of a forked attempt come from (R12.3). */
export interface WorkspaceOrigin {
  readonly attempt: string;
  readonly snapshot: string;
}
export interface WorkspacePort {
  /**
   * Makes or finds the worktree and the dependency layer. Throws WorkspaceError. `onProgress` says what is running. `from`: begins
   * at this snapshot of another attempt of the tenant, on the same base; throws `WORKSPACE_MISSING` where that one has no workspace
   * here, `SNAPSHOT_MISSING` where it has no such snapshot.
   */
  prepare(
    id: WorkspaceId,
    spec: WorkspaceSpec,
    signal: AbortSignal,
    onProgress?: (line: string) => void,
    from?: WorkspaceOrigin,
  ): Promise<{ base: string; snapshot: string; setupMs: number }>;
  /**
   * The worktree's folder, to read it as it is at `snapshot`: what a try left there half done is gone. Throws
   * WorkspaceError `WORKSPACE_MISSING` where the attempt has no workspace here.
   */
  root(id: WorkspaceId, snapshot: string, signal: AbortSignal): Promise<string>;
  /**
   * E10: runs `work` under the worktree's exclusive lock, after killing what an earlier holder left and resetting the
   * worktree to `snapshot`; then makes the next snapshot (the same id where nothing changed). Only for the execution that
   * owns the attempt's move: another process that holds the lock still is taken for dead after a short wait, its
   * processes are killed, and `work` gets a fresh worktree. Throws `WORKSPACE_BUSY` where that happened to this call.
   */
  exclusive<T>(
    id: WorkspaceId,
    snapshot: string,
    signal: AbortSignal,
    work: (root: string) => Promise<T>,
  ): Promise<{ value: T; snapshot: string }>;
  /** A sandboxed shell line in the worktree, its processes recorded in the lock. */
  exec(id: WorkspaceId, line: string, options: { timeoutMs: number; signal: AbortSignal }): Promise<ProcessResult>;
  /**
   * Merges another snapshot into the worktree that `work` of `exclusive` holds; only within it. The other one may be of any attempt
   * that works on the same source here. Throws `SNAPSHOT_MISSING` where it is not here.
   */
  merge(id: WorkspaceId, sides: MergeSides): Promise<Merged>;
  /** A shell line in a clean copy at `snapshot`, with the dependency layer; the copy is removed after. */
  execClean(id: WorkspaceId, snapshot: string, line: string, options: CleanRun): Promise<ProcessResult>;
  /** Paths changed between two commits. */
  changedFiles(
    id: WorkspaceId,
    from: string,
    to: string,
  ): Promise<readonly { path: string; status: 'added' | 'modified' | 'deleted' }[]>;
  /**
   * Points the branch at the snapshot in the user's repository; the same call again changes nothing. Returns the commit; undefined
   * where the snapshot holds the files of the base, so that there is nothing to hand over and no branch is made.
   */
  commit(id: WorkspaceId, snapshot: string, branch: string, message: string): Promise<string | undefined>;
  /** How a commit that `commit` returned goes onto the branch that the work began at, as the source has it now; changes nothing. */
  fit(id: WorkspaceId, commit: string): Promise<BranchFit>;
  /** Whether the workspace is here and has this snapshot, so that calls on it find it. */
  holds(id: WorkspaceId, snapshot: string, signal: AbortSignal): Promise<boolean>;
  /**
   * The snapshot as a git bundle; of what `thinOn` has, where that is given, and else of what the base has, it holds nothing. Throws
   * WorkspaceError `SNAPSHOT_TOO_LARGE`.
   */
  bundle(id: WorkspaceId, snapshot: string, thinOn: string | undefined, signal: AbortSignal): Promise<Buffer>;
  /**
   * Makes the workspace here as it was at `snapshot`, with its dependency layer, or what is missing of it, from the source and the
   * snapshot's bundles, the oldest first; those that are here are not read. Throws as `prepare` does, and `SNAPSHOT_MISSING` where
   * source and bundles do not have it.
   */
  restore(
    id: WorkspaceId,
    spec: WorkspaceSpec,
    snapshot: string,
    bundles: readonly KeptBundle[],
    signal: AbortSignal,
  ): Promise<{ base: string; snapshot: string; setupMs: number }>;
  /** Makes the commits of these bundles, the oldest first, known to the workspace, which is here; changes nothing else. */
  fetch(id: WorkspaceId, bundles: readonly KeptBundle[], signal: AbortSignal): Promise<void>;
  /** Ends every process that the worktree's lock names, checked dead (R11.3). */
  killAll(id: WorkspaceId): Promise<void>;
}
/** Files in which both sides changed the same, and whose version is taken whole. */
export interface MergeChoices {
  readonly takeMine: readonly string[];
  readonly takeTheirs: readonly string[];
}
/** `base`: where the two parted. */
export interface MergeSides extends MergeChoices {
  readonly base: string;
  readonly theirs: string;
}
export interface Conflict {
  readonly path: string;
  /** For a model: both versions of what is in conflict, or why they cannot be merged. */
  readonly text: string;
}
export type Merged =
  | { readonly kind: 'merged'; readonly paths: readonly string[] }
  /** Nothing was changed. `more`: conflicts beside those told. */
  | { readonly kind: 'conflicts'; readonly conflicts: readonly Conflict[]; readonly more: number };
export interface KeptBundle {
  readonly snapshot: string;
  readonly read: () => Promise<Buffer>;
}
export interface CleanRun {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /**
   * Laid over the copy. Throws WorkspaceError `FILES_MISSING` where this host has none of that name, `FILES_CHANGED` where they are
   * not those that the contract means, and `FILES_UNFIT` where they cannot be laid.
   */
  readonly files?: BroughtFiles;
  /** No command of an attempt may reach the copy or the files: throws `SANDBOX_MISSING` or `FILES_REACHABLE` where one could. */
  readonly sealed?: true;
}
export interface ProcessResult {
  /** `exited` with a code, `signalled`, `timed_out`, `not_started` (the shell or the sandbox could not run: environment_drift). */
  readonly end: 'exited' | 'signalled' | 'timed_out' | 'not_started';
  readonly exitCode: number | null;
  /** stdout and stderr in the order they came; at most `maxOutputBytes`, the middle left out with a line that says so. */
  readonly output: string;
  /** Bytes the process wrote in all. */
  readonly outputBytes: number;
  readonly durationMs: number;
}

/** A failure of the workspace, typed (R8.2). `message` is for a person and a model; it holds no secret. */
export class WorkspaceError extends Error {
  constructor(
    readonly failure: Failure,
    message: string,
    readonly suggestedAction: string,
  ) {
    super(message);
    this.name = 'WorkspaceError';
  }
}
