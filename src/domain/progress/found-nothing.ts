/** Longer, and it says more than that it found nothing. */
const maxChars = 1_200;
const things = '(?:results?|matches|hits|rows|articles|entries|records|documents|items|pages|answers)';
const emptyList = /"(?:results|matches|hits|rows|articles|entries|records|documents|items|pages|data)"\s*:\s*\[\s*\]/;
const words = new RegExp(
  [
    String.raw`\b(?:no|0|zero|not any)\s+(?:[\p{L}-]+\s+){0,3}${things}\b`,
    String.raw`\b(?:no|zero)\s+(?:[\p{L}-]+\s+){1,3}(?:was |were )?found\b`,
    String.raw`\b(?:found|returned|matched)\s+(?:no|0|nothing)\b`,
    String.raw`\bnothing\s+(?:was\s+|is\s+)?(?:found|matched|matches)\b`,
    String.raw`\b(?:do|does|did)\s+not\s+match\s+any\b`,
  ].join('|'),
  'iu',
);

/**
 * Whether an answer says, in few words or in a page, that nothing was found: then other questions with the same answer are
 * no repeats of each other (R7.1).
 */
export const foundNothing = (text: string): boolean =>
  text.length <= maxChars && (emptyList.test(text) || words.test(text));
