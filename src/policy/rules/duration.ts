/** A length of time as people write it in a policy: `90s`, `30m`, `24h`, `7d`. */
export const durationPattern = /^([1-9]\d{0,5})(s|m|h|d)$/;

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a text that fits the pattern; NaN for any other. */
export function durationMs(text: string): number {
  const [, count, unit] = durationPattern.exec(text) ?? [];
  return unit === 's' || unit === 'm' || unit === 'h' || unit === 'd' ? Number(count) * unitMs[unit] : Number.NaN;
}
