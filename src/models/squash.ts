/** A text as all its spellings have it: no blanks, no backslashes, no capitals, escapes read. */
export interface Squashed {
  readonly signs: string;
  /** Where each sign begins in the text as it was. */
  readonly starts: readonly number[];
}

/** Reads `%6b` and `\u006b` too, under any number of layers of JSON, each of which doubles the backslashes. */
export function squash(text: string): Squashed {
  const signs: string[] = [];
  const starts: number[] = [];
  for (let at = 0; at < text.length; ) {
    const escaped = escapeAt(text, at);
    const sign = escaped?.sign ?? text[at] ?? '';
    if (!/[\s\\]/.test(sign)) {
      const low = sign.toLowerCase();
      signs.push(low.length === 1 ? low : sign); // one sign stays one
      starts.push(at);
    }
    at += escaped?.length ?? 1;
  }
  return { signs: signs.join(''), starts };
}

function escapeAt(text: string, at: number): { readonly sign: string; readonly length: number } | undefined {
  const length = text[at] === '%' ? 3 : text[at] === 'u' && text[at - 1] === '\\' ? 5 : 0;
  const digits = text.slice(at + 1, at + length);
  if (length === 0 || digits.length !== length - 1 || /[^0-9a-f]/i.test(digits)) return undefined;
  return { sign: String.fromCharCode(Number.parseInt(digits, 16)), length };
}
