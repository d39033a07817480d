import { setTimeout as sleep } from 'node:timers/promises';

/** Generous: only a hang reaches it. */
const defaultLimitMs = 20_000;
const pollMs = 25;

/** Waits until `look` gives something other than undefined and false; throws where it never does. */
export async function until<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
  limitMs = defaultLimitMs,
): Promise<T> {
  const end = performance.now() + limitMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (performance.now() > end) throw new Error(`Not so within ${limitMs} ms: ${look}`);
    await sleep(pollMs);
  }
}
