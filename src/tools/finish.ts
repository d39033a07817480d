import { defineTool } from './define-tool';

/** A candidate for the end: what it says is checked before anything is called done (R3). */
export const finish = defineTool({
  name: 'finish',
  description:
    'Ends the work; the only call of its answer. done: the acceptance criteria hold, and will be checked. blocked: something you cannot change stands in the way. refused: it should not be done.',
  schema: {
    type: 'object',
    properties: {
      summary: { type: 'string', minLength: 1, maxLength: 8_000 },
      status: { type: 'string', enum: ['done', 'blocked', 'refused'] },
      unknowns: { type: 'array', maxItems: 50, items: { type: 'string', minLength: 1, maxLength: 1_000 } },
      citations: {
        type: 'array',
        maxItems: 100,
        items: {
          type: 'object',
          properties: {
            source: { type: 'string', minLength: 1, maxLength: 2_000 },
            quote: { type: 'string', minLength: 1, maxLength: 4_000 },
            question: { type: 'string', minLength: 1, maxLength: 1_000 },
          },
          required: ['source', 'quote'],
          additionalProperties: false,
        },
      },
      result: {
        type: 'object',
        description: 'The figure of a data task: its query, the rows that this gave, and how it is defined.',
        properties: {
          database: { type: 'string', minLength: 1, maxLength: 100 },
          sql: { type: 'string', minLength: 1, maxLength: 20_000 },
          rows: {
            type: 'array',
            maxItems: 1_000,
            items: {
              type: 'array',
              maxItems: 100,
              items: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }] },
            },
          },
          definition: {
            type: 'string',
            minLength: 1,
            maxLength: 4_000,
            description: 'what is counted, over what, and what is left out',
          },
        },
        required: ['database', 'sql', 'rows', 'definition'],
        additionalProperties: false,
      },
    },
    required: ['summary', 'status'],
    additionalProperties: false,
  },
  effect: 'control',
  quick: true,
  timeoutMs: 1_000,
});
