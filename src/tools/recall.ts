import { pointerLengthMax } from '../domain/context/pointer';
import { defineTool } from './define-tool';
import { answering, ToolError } from './tool-errors';

/** R13.3: the original of what a compacted view only points to. */
export const recall = defineTool({
  name: 'recall',
  description:
    'Reads from the record what is no longer shown. pointer: "s12" a step, "s12.a0" a call and its answer, "s1-s50" what these steps were, "input/3" what the user said; "failed", "facts", "decisions", "changes" or "steps" the whole list; or anything in brackets that a summary points to.',
  schema: {
    type: 'object',
    properties: { pointer: { type: 'string', minLength: 1, maxLength: pointerLengthMax } },
    required: ['pointer'],
    additionalProperties: false,
  },
  effect: 'none',
  workspace: false,
  looks: false,
  quick: true,
  timeoutMs: 10_000,
  run: ({ pointer }, { recall: original }) =>
    answering(async () => {
      const text = await original(pointer);
      if (text !== undefined) return text;
      throw new ToolError(
        { class: 'tool_business', code: 'NOTHING_THERE' },
        `The record has nothing at "${pointer}".`,
        'Use a pointer exactly as it was shown: s12, s12.a0, s1-s50, input/3, failed, facts, decisions, changes, steps.',
      );
    }),
});
