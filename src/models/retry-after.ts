/**
 * What a refusal asked us to wait, ms: `retry-after-ms`, or `Retry-After` as seconds or as a date, read at `nowMs`.
 * Undefined where nothing readable was said.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>> | undefined, nowMs: number): number | undefined {
  const exact = Number.parseFloat(headers?.['retry-after-ms'] ?? '');
  if (Number.isFinite(exact) && exact >= 0) return Math.ceil(exact);

  const asked = headers?.['retry-after'];
  if (asked === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(asked)) return Math.ceil(Number(asked) * 1_000);
  const until = Date.parse(asked);
  return Number.isNaN(until) ? undefined : Math.max(until - nowMs, 0);
}
