import type { AttemptDocument } from '../requests/documents/attempt-document';
import { excerpt } from '../requests/words/words';
import { paint } from './output';
import { row } from './row';
import { stateWord } from './words';

/** A person is reminded of what was said; `show --json` has more of it. */
const wordMaxChars = 160;
/** What was said last is what an attempt is at; `show --json` has more. */
const wordsMax = 5;

/** What the user said to the attempt, and the turns of its Thread that other attempts have. */
export function renderThread({ attemptId, continues, thread }: AttemptDocument): readonly string[] {
  const own = thread.find((one) => one.attemptId === attemptId)?.words ?? [];
  const others = thread.length > 1 ? thread : [];
  return [
    ...(continues === null ? [] : [row('goes on', `from ${continues}`)]),
    ...own
      .slice(-wordsMax)
      .map(({ by, text }) => row('user', `“${excerpt(text, wordMaxChars)}”${by ? ` (${by})` : ''}`)),
    ...others.map(({ attemptId: id, state, words }, index) => {
      const said = words.at(-1)?.text ?? '';
      const here = id === attemptId ? paint('bold', id) : id;
      return row(index === 0 ? 'thread' : '', `${here} ${stateWord(state)} “${excerpt(said, wordMaxChars)}”`);
    }),
  ];
}
