import type { ItemRows } from '../domain/context/item-rows';

/** Rows of the record: texts and where they are kept, evidence, and what a compacted view is made of. */

/** A text in the row, or where it is kept (over 16 KiB). */
export type Body = { readonly text: string } | StoredBody;
/** In the object store. */
export interface StoredBody {
  readonly hash: string;
  readonly bytes: number;
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

/** A call that succeeded, as the model was answered. */
export interface AnsweredCall {
  readonly step: number;
  readonly index: number;
  readonly tool: string;
  readonly args: Body;
  readonly text: string;
  /** Of the workspace that the answering try ran on; null where the attempt has none. */
  readonly snapshot: string | null;
}

export interface ProjectionRow {
  readonly ordinal: number;
  readonly uptoStep: number;
  readonly body: Body;
}
/** Rows for collect-items.ts, less what the ledger alone does not know. */
export interface ItemRecords extends Pick<ItemRows, 'evidence' | 'calls' | 'effects' | 'approvals'> {
  /** Every step of the attempt, ascending: its calls, and how many of these have an observation. */
  readonly steps: readonly { readonly step: number; readonly callIds: readonly string[]; readonly observed: number }[];
  /** Calls that succeeded and may have changed the attempt's worktree, in order. */
  readonly writes: readonly {
    readonly step: number;
    readonly index: number;
    readonly tool: string;
    readonly args: Body;
  }[];
  /** The projection that the attempt began with, where it was made of an ancestor's record. */
  readonly inherited: Body | null;
}
