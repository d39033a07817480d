/**
 * Where `wanted` stands in `lines` as a whole, at `from` or later, nearest to `near` (of two as near, the later one).
 * Linear in both (Knuth, Morris and Pratt): a line that was compared is never gone back to.
 */
export function findLines(
  lines: readonly string[],
  wanted: readonly string[],
  { near, from }: { readonly near: number; readonly from: number },
): number | undefined {
  const fallbacks = fallbacksOf(wanted);
  let nearest: number | undefined;
  let held = 0;
  for (let at = from; at < lines.length; at += 1) {
    while (held > 0 && wanted[held] !== lines[at]) held = fallbacks[held - 1] ?? 0;
    if (wanted[held] === lines[at]) held += 1;
    if (held < wanted.length) continue;
    const found = at - wanted.length + 1;
    if (nearest !== undefined && Math.abs(found - near) > Math.abs(nearest - near)) break; // further ones are further off
    nearest = found;
    held = fallbacks[held - 1] ?? 0;
  }
  return nearest;
}

/** For each length of the beginning: the longest shorter beginning that it also ends with. */
function fallbacksOf(wanted: readonly string[]): readonly number[] {
  const fallbacks = [0];
  let held = 0;
  for (let at = 1; at < wanted.length; at += 1) {
    while (held > 0 && wanted[held] !== wanted[at]) held = fallbacks[held - 1] ?? 0;
    if (wanted[held] === wanted[at]) held += 1;
    fallbacks.push(held);
  }
  return fallbacks;
}
