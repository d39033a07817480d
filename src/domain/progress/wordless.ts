/** Arguments that are words about a call and no part of it. */
const aboutTheCall =
  /^(?:reason|reasoning|rationale|thoughts?|explanation|justification|purpose|comment|description)$/i;
/** Of a text that is nothing but words: fewer may name something. */
const proseWordsMin = 3;
/** Letters, digits and the punctuation of sentences; a path, a pattern or a line of code has others. */
const prose = /^[\p{L}\p{N}\s.,;:!?'"’“”()-]+$/u;
/** To the end of the line, where a shell takes it for a comment. */
const shellComment = /(^|\s)#[^\n'"`]*$/gm;

/**
 * Arguments without the words that a model can put in any way: what it says about the call, comments in shell lines, and
 * texts that are nothing but prose. Two calls that are alike in this are the same call only where they also answered the
 * same.
 */
export function wordless(args: unknown): unknown {
  if (typeof args === 'string') return withoutWords(args);
  if (Array.isArray(args)) return args.map(wordless);
  if (typeof args !== 'object' || args === null) return args;
  const kept = Object.entries(args).filter(([name]) => !aboutTheCall.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, wordless(value)]));
}

function withoutWords(text: string): string {
  const bare = text.replace(shellComment, '').trim();
  const isProse = prose.test(bare) && bare.split(/\s+/).length >= proseWordsMin;
  return isProse ? '<words>' : bare;
}

/** The same call, however its white space is set. */
export function collapsed(args: unknown): unknown {
  if (typeof args === 'string') return args.replace(/\s+/g, ' ').trim();
  if (Array.isArray(args)) return args.map(collapsed);
  if (typeof args !== 'object' || args === null) return args;
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, collapsed(value)]));
}
