import { z } from 'zod';

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

/** The message is stored already; this says only that it is there. */
export const wakeShape = z.strictObject({ messageId });
export const sayShape = z.strictObject({ text: z.string().min(1), by: by.optional(), messageId: messageId.optional() });
export const cancelShape = z.strictObject({ by, reason: z.string().optional(), messageId: messageId.optional() });

/** What is wrong with an argument, in one line that holds nothing of the argument but its keys. */
export function whatIsWrong(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
    .join('; ');
}
