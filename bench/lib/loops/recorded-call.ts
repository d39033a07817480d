import type { FailureClass } from '../../../src/domain/failure/failure';

/** One call of a recorded attempt, as the ledger has it. */
export interface RecordedCall {
  readonly tool: string;
  readonly effect: 'none' | 'workspace';
  readonly args: unknown;
  readonly planStep: string;
  /** Of the workspace: before and, where it may have changed, after. */
  readonly environment: string;
  readonly snapshot?: string;
  readonly answer: string;
  readonly failure?: FailureClass;
  /** Polls in a row that its tool declares as honest. */
  readonly polling?: number;
  /** Arguments that its tool says change nothing of what is asked. */
  readonly incidental?: readonly string[];
  /** It stands in one proposal with the call before it. */
  readonly beside?: true;
  /** The view was compacted before it. */
  readonly compacted?: true;
  /** Steps of the plan that the model called done before it. */
  readonly planDone?: number;
  /** Honest work in the middle of a loop: it always brings something new. */
  readonly aside?: true;
}

export interface Recording {
  readonly name: string;
  readonly calls: readonly RecordedCall[];
  /** First call of the loop; undefined where there is none. */
  readonly loopFrom?: number;
}
