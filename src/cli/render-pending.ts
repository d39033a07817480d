import { paint } from './output';
import type { Pending } from './pending';
import { row } from './row';
import { excerpt } from './words';

/** A question is read whole; what is longer than this is a report, and `show --json` has it. */
const textLength = 400;

/** What is waited for, what can be done, and the command that answers. */
export function renderPending({ text, choices, advice, command }: Pending): readonly string[] {
  return [
    row('waits for', excerpt(text, textLength) || 'a message'),
    ...(choices === undefined ? [] : [row('', `choices: ${choices.join(' | ')}`)]),
    ...(advice === undefined ? [] : [row('', advice)]),
    row('answer', paint('bold', command)),
  ];
}
