import type { Contract } from '../contract/contract';
import type { Effect } from '../effect/effect';
import type { FailureClass } from '../failure/failure';
import type { RequestState } from '../policy/answer';
import type { ProtectedItem } from './protected-item';
import type { TaskState } from './task-state';

/** What the ledger says of an attempt's steps up to `uptoStep`, as far as a compacted view has to keep it. */
export interface ItemRows {
  /** The one in force. */
  readonly contract: Contract;
  readonly uptoStep: number;
  readonly taskState?: TaskState;
  /** Of the newest candidate, whenever that was. */
  readonly evidence: readonly ItemEvidence[];
  /** Every call of the steps up to `uptoStep`, in the record's order. */
  readonly calls: readonly ItemCall[];
  /** Every one of the attempt, also of later steps: they bind it whatever is shown. */
  readonly effects: readonly ItemEffect[];
  /** Likewise; of one action, the newest request. */
  readonly approvals: readonly ItemApproval[];
  /** Files that differ from where the attempt began. */
  readonly changes: readonly ItemChange[];
  /** What the ancestor's view had to keep, where the attempt was begun from one. */
  readonly inherited?: readonly ProtectedItem[];
}
export interface ItemPlace {
  readonly step: number;
  readonly index: number;
}
export interface ItemEvidence {
  readonly criterion: string;
  readonly met: boolean;
  readonly detail: string;
}
export type ItemCall = ItemPlace & {
  readonly tool: string;
  /** Where it failed. */
  readonly failure?: {
    /** Null where the row was written without one. */
    readonly class: FailureClass | null;
    /** The observation, as the model was shown it. */
    readonly text: string;
  };
};
export type ItemEffect = ItemPlace & Pick<Effect, 'tool' | 'target' | 'phase' | 'downstreamId' | 'outcome'>;
export type ItemApproval = ItemPlace & {
  readonly tool: string;
  readonly target: string;
  readonly state: RequestState;
  readonly answers: readonly { readonly by: string; readonly answer: 'approve' | 'deny'; readonly reason?: string }[];
};
export interface ItemChange {
  readonly path: string;
  readonly status: 'added' | 'modified' | 'deleted';
  /** The newest action that is known to have changed it. */
  readonly action?: ItemPlace;
}
