import { RequestRefused } from '../request-refused';

/** A message is read whole by the model at every step; what is longer belongs in a file of the workspace. */
export const maxMessageBytes = 64 * 1024;

/** The text itself. Throws RequestRefused where it is empty or longer than `maxMessageBytes`. */
export function checkedMessage(text: string): string {
  if (text.trim() === '') throw new RequestRefused('invalid', 'The message says nothing.');
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxMessageBytes) return text;
  throw new RequestRefused(
    'invalid',
    `The message has ${bytes} bytes; at most ${maxMessageBytes} are read.`,
    'Put it into a file of the workspace and name the file.',
  );
}
