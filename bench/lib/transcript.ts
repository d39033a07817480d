import type { Transcript } from '../../src/models/scripted/transcript-schema';

export interface PutTask {
  readonly task: string;
  readonly steps: number;
  /** In these steps the answer takes longer. */
  readonly slow?: readonly { readonly from: number; readonly to: number; readonly delayMs: number }[];
}

/** What the model says for each task: one call of `put` a step, and a last word. */
export function putTranscript(tasks: readonly PutTask[]): Transcript {
  return {
    entries: tasks.flatMap(({ task, steps, slow = [] }) => {
      const step = {
        attempt: task,
        calls: [{ tool: 'put', args: { key: 'item-{step}', value: 'what step {step} of {task} has to say' } }],
      };
      return [
        ...slow.map((window) => ({ ...step, ...window })),
        { ...step, from: 1, to: steps },
        { attempt: task, from: steps + 1, text: 'All is stored.' },
      ];
    }),
  };
}
