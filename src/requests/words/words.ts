const microUsdPerUsd = 1_000_000;

/** `USD 0.0123`, because `$` is mathematics in the Temporal UI and one way of writing is enough. */
export function money(microUsd: number): string {
  return `USD ${(microUsd / microUsdPerUsd).toFixed(4)}`;
}

export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : nouns}`;
}

/** `850 ms`, `12 s`, `3 min 20 s`, `24 h 0 min`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The beginning of a text on one line. */
export function excerpt(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}
