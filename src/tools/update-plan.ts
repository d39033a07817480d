import { defineTool } from './define-tool';

/** The structured task state of R13.1; the runtime keeps it and shows it in every view. */
export const updatePlan = defineTool({
  name: 'update_plan',
  description: 'Replaces the plan that you work along: every step with its status. Keep ids stable.',
  schema: {
    type: 'object',
    properties: {
      steps: {
        type: 'array',
        maxItems: 50,
        items: {
          type: 'object',
          properties: {
            id: { type: 'string', minLength: 1, maxLength: 40 },
            title: { type: 'string', minLength: 1, maxLength: 300 },
            status: { type: 'string', enum: ['pending', 'doing', 'done', 'dropped'] },
          },
          required: ['id', 'title', 'status'],
          additionalProperties: false,
        },
      },
      note: { type: 'string', maxLength: 2_000 },
    },
    required: ['steps'],
    additionalProperties: false,
  },
  effect: 'control',
  quick: true,
  timeoutMs: 1_000,
});
