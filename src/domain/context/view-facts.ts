import type { Contract } from '../contract/contract';
import type { ModelTool, ModelToolCall } from './messages';
import type { Projection } from './projection';
import type { ProtectedItem } from './protected-item';
import type { TaskState } from './task-state';

/** The rows that a view is made of, as view.ts shows them. */
export interface ViewFacts {
  readonly contract: Contract;
  /** In the order in which the model is offered them. */
  readonly tools: readonly ModelTool[];
  /** In ledger order. Those after step 0 open the conversation. */
  readonly inputs: readonly ViewInput[];
  /** The visible steps, ascending. */
  readonly steps: readonly ViewStep[];
  /** Steps before the first visible one; the projection's, and more where even fewer fit. */
  readonly hiddenSteps: number;
  /** What stands for the hidden steps. */
  readonly projection?: Projection;
  /** What the work waits for now: the protected items of kind `block`, of the newest rows. */
  readonly blocks?: readonly ProtectedItem[];
  readonly taskState?: TaskState;
  readonly environment?: ViewEnvironment;
}
export interface ViewInput {
  /** From 1, over the attempt. */
  readonly ordinal: number;
  readonly afterStep: number;
  /** `message`: from the user. `feedback`: from the runtime about a candidate or an answer; it goes with its step. */
  readonly kind: 'message' | 'feedback';
  readonly text: string;
}
export interface ViewStep {
  readonly step: number;
  readonly text: string;
  readonly calls: readonly ViewCall[];
}
export type ViewCall = ModelToolCall & {
  /** What the call answered; null where the ledger has no observation, which no view may be built over. */
  readonly output: string | null;
};
/** Facts of the world, read when the view is made. */
export interface ViewEnvironment {
  readonly changedFiles: readonly string[];
  readonly lastTest?: {
    readonly command: string;
    readonly passed: boolean;
    /** Tests that failed, where the output told. */
    readonly failing?: number;
  };
}
