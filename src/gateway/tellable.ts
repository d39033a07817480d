import { Problem } from './problem';

/** NUL, and half of a pair: characters that PostgreSQL keeps in no text. */
const untellable = /[\0\p{Surrogate}]/u;

/** Refuses a request that has a character in it which cannot be kept. Throws Problem `invalid`. */
export function checkTellable(value: unknown, at: string): void {
  if (typeof value === 'string') {
    if (!untellable.test(value)) return;
    throw new Problem('invalid', 'A text holds a character that cannot be kept: NUL, or half of a surrogate pair.', {
      errors: [{ at, why: 'leave that character out' }],
    });
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    checkTellable(name, at);
    checkTellable(inner, `${at}.${name}`);
  }
}
