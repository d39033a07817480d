/**
 * Counts tokens, remembering the counts of texts seen lately: a prompt is mostly the one of the step before.
 *
 *   I1  Long texts are counted in pieces, so the cost is linear (a tokenizer is quadratic in an unbroken run of letters).
 *       A cut splits tokens and merges none, so the sum errs upward.
 *   I2  Memory is bounded: two generations of at most `generationChars` each, the older one is dropped whole.
 */
export type TokenCounter = (text: string) => number;

/** Below this, a run of one letter costs microseconds; above, the pieces are too few to matter. */
const pieceChars = 1_000;
/** Longer texts are extrapolated from their beginning: 256 Ki characters take about 20 ms. */
const exactMaxChars = 256 * 1024;
/** About two full contexts of 128,000 tokens for each of two attempts; 8 MB of strings at most in both generations. */
const generationChars = 2_000_000;

export function createTokenCounter(): TokenCounter {
  let young = new Map<string, number>();
  let old = new Map<string, number>();
  let youngChars = 0;

  return (text) => {
    if (text === '') return 0;
    const fresh = young.get(text);
    if (fresh !== undefined) return fresh;

    const count = old.get(text) ?? countUncached(text);
    if (youngChars + text.length > generationChars) {
      old = young; // I2
      young = new Map();
      youngChars = 0;
    }
    young.set(text, count);
    youngChars += text.length;
    return count;
  };
}

function countUncached(text: string): number {
  const { countTokens } = tokenizer();
  const measured = Math.min(text.length, exactMaxChars);
  let count = 0;
  for (let start = 0; start < measured; start += pieceChars) {
    count += countTokens(text.slice(start, Math.min(start + pieceChars, measured)), plainText); // I1
  }
  return Math.ceil(count * (text.length / measured));
}

/** A text that spells a control token is a text: it must not throw. */
const plainText = { disallowedSpecial: new Set<string>() };

/** Loaded at the first count: its tables take 120 ms, which a command that calls no model need not wait for. */
function tokenizer(): typeof import('gpt-tokenizer/encoding/o200k_base') {
  return require('gpt-tokenizer/encoding/o200k_base');
}
