import { z } from 'zod';
import { budgetRaise } from '../../protocol/messages';

/** The shapes of what people and programs put into signals and updates, checked without a throw. */

/** Ids come from outside and become keys of rows, in characters; longer ones are a mistake. */
const idMax = 200;
/** Names of people, in characters: shown in one line beside what they did. */
const nameMax = 200;
/** The ledger's text columns must hold it as it is, or no answer could name it again. */
const messageId = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'printable ASCII without spaces')
  .max(idMax);
const by = z.string().min(1).max(nameMax);
/** What a request is about, as the attempt shows it; compared and never stored as a key. */
const shown = z.string().min(1).max(idMax);
const id = { messageId: messageId.optional() };

/** The message is stored already; this says only that it is there. */
export const wakeShape = z.strictObject({ messageId });

export const sayShape = z.strictObject({
  text: z.string().min(1),
  by: by.optional(),
  revise: z.literal(true).optional(),
  ...id,
});
export const cancelShape = z.strictObject({ by, reason: z.string().optional(), ...id });
/** Its own id is the decision's, so that a decision that is sent twice counts once. */
export const answerShape = z
  .strictObject({
    actionId: shown.optional(),
    by,
    reason: z.string().optional(),
    binding: shown.optional(),
    decisionId: messageId.optional(),
  })
  .refine(({ actionId, binding }) => actionId !== undefined || binding !== undefined, {
    message: 'actionId, or the binding of the one action that waits, is needed',
  });
export const suspendShape = z.strictObject({ by, ...id });

export const resumeShape = z.strictObject({ by, budget: budgetRaise.optional(), ...id });
export const reconcileShape = z.strictObject({
  actionId: shown,
  outcome: z.enum(['committed', 'not_committed']),
  by,
  evidence: z.string().min(1),
  ...id,
});

/** Room for tokens that the runtime makes, in characters. */
const tokenMax = 100;
export const jobSettledShape = z.strictObject({
  actionId: shown,
  token: z.string().min(1).max(tokenMax),
  outcome: z.enum(['succeeded', 'failed']),
  downstreamId: shown.optional(),
  output: z.string().optional(),
  ...id,
});

/** What is wrong with an argument, in one line that holds nothing of the argument but its keys. */
export function whatIsWrong(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
    .join('; ');
}
