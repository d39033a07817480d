import { fence } from './fence';

/** What one side said in a Thread, before the turn that remembers it. */
export interface ThreadWord {
  readonly by: 'user' | 'model';
  readonly text: string;
}

/** In characters, some 6,000 tokens: it is part of every request of the turn. */
export const memoryMaxChars = 24_000;
/** Of one word, so that a long one does not push out all others. */
const wordMaxChars = 6_000;

/**
 * The earlier turns of a Thread as the next one is told of them: the newest words that fit, oldest first. What the model said
 * may hold what it had read elsewhere, and is marked as data; what the user said is not.
 */
export function threadMemory(words: readonly ThreadWord[]): string {
  const told: string[] = [];
  let room = memoryMaxChars;
  for (const word of [...words].reverse()) {
    const text = toldWord(word);
    if (text.length > room) break;
    room -= text.length;
    told.unshift(text);
  }
  const left = words.length - told.length;
  const head = 'This conversation goes on from earlier turns. What was said in them, from the record:';
  return [head, ...(left > 0 ? [`(${left} earlier words are left out.)`] : []), ...told].join('\n\n');
}

function toldWord({ by, text }: ThreadWord): string {
  const shown = text.length <= wordMaxChars ? text : `${text.slice(0, wordMaxChars)} […]`;
  return by === 'user' ? `The user said:\n${shown}` : `You answered:\n${fence(shown)}`;
}
