import type { Transcript } from '../../src/models/scripted/transcript-schema';

/** What the model says for a task of `steps` steps: one call of `put` each, and a last word. */
export function putTranscript(
  tasks: readonly { readonly task: string; readonly steps: number; readonly delayMs?: number }[],
): Transcript {
  return {
    entries: tasks.flatMap(({ task, steps, delayMs }) => [
      {
        attempt: task,
        from: 1,
        to: steps,
        calls: [{ tool: 'put', args: { key: 'item-{step}', value: 'what step {step} of {task} has to say' } }],
        ...(delayMs !== undefined && { delayMs }),
      },
      { attempt: task, from: steps + 1, text: 'All is stored.' },
    ]),
  };
}
