/** Longest text of an item that comes from outside, in characters: an item says what there is, `recall` shows it whole. */
export const itemTextMax = 500;

/** A text from outside as one line of at most `itemTextMax` characters. */
export function itemLine(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  if (line.length <= itemTextMax) return line;
  const end = itemTextMax - 1;
  // A pair of surrogates is one character and stays whole.
  const cut = /[\ud800-\udbff]$/.test(line.slice(0, end)) ? end - 1 : end;
  return `${line.slice(0, cut)}…`;
}
