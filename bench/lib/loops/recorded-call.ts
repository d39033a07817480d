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
}

export interface Recording {
  readonly name: string;
  readonly calls: readonly RecordedCall[];
  /** First call of the loop; undefined where there is none. */
  readonly loopFrom?: number;
}
