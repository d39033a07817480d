/** One line for a person while something takes longer than a moment. */
export interface StackProgress {
  readonly part: 'temporal' | 'postgres' | 'worker' | 'stack';
  readonly text: string;
}

export type OnProgress = (progress: StackProgress) => void;
