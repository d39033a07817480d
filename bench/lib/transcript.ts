import type { Transcript } from '../../src/models/scripted/transcript-schema';

export interface PutTask {
  readonly task: string;
  readonly steps: number;
  /** From this step on every answer takes `delayMs`. */
  readonly slowFrom?: number;
  readonly delayMs?: number;
}

/** What the model says for each task: one call of `put` a step, and a last word. */
export function putTranscript(tasks: readonly PutTask[]): Transcript {
  return {
    entries: tasks.flatMap(({ task, steps, slowFrom, delayMs }) => {
      const step = {
        attempt: task,
        calls: [{ tool: 'put', args: { key: 'item-{step}', value: 'what step {step} of {task} has to say' } }],
      };
      return [
        ...(slowFrom !== undefined && delayMs !== undefined ? [{ ...step, from: slowFrom, to: steps, delayMs }] : []),
        { ...step, from: 1, to: steps },
        { attempt: task, from: steps + 1, text: 'All is stored.' },
      ];
    }),
  };
}
