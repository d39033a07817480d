/**
 * A piece of an answer while a model gives it (R10.2). It is kept nowhere and not sent again: the answer in the ledger takes its
 * place, and a reader drops pieces of a step whose answer it has seen.
 */
export interface Preview {
  readonly durability: 'preview';
  readonly attempt_id: string;
  readonly step_id: string;
  /** The one call that gives the answer; where the step is tried again, its pieces begin anew under another id. */
  readonly stream_id: string;
  /** 1, 2, 3 … of the stream; where a number is missing, so is text. */
  readonly part: number;
  readonly text: string;
}
