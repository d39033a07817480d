import { defineTool } from './define-tool';

/** The attempt waits, for days if need be, until the user has answered. */
export const askUser = defineTool({
  name: 'ask_user',
  description: 'Asks the user and waits for the answer. Only for what cannot be found out and must not be guessed.',
  schema: {
    type: 'object',
    properties: {
      question: { type: 'string', minLength: 1, maxLength: 4_000 },
      choices: { type: 'array', maxItems: 20, items: { type: 'string', minLength: 1, maxLength: 300 } },
    },
    required: ['question'],
    additionalProperties: false,
  },
  effect: 'control',
  quick: true,
  timeoutMs: 1_000,
});
