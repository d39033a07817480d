/** Arguments that are words about a call and no part of it. */
const aboutTheCall =
  /^(?:reason|reasoning|rationale|thoughts?|explanation|justification|purpose|comment|description)$/i;
/** Arguments that a shell reads. */
const shellLine = /^(?:command|cmd|script)$/i;
/** Arguments whose words are a language of their own: none of them can be put in another way. */
const code = /^(?:commands?|cmd|script|shell|code|sql|statement|expression)$/i;
/** Arguments that somebody is asked by: here even one word can be put in another way. */
const asked = /^(?:q|query|question|prompt|topic|keywords?|search_?(?:query|text|terms?)?)$/i;
/** To the end of the line, where a shell takes it for a comment. */
const shellComment = /(^|\s)#[^\n'"`]*$/gm;
/** Of a text that is nothing but words: fewer may name something. */
const proseWordsMin = 3;
/** Letters, digits and the punctuation of sentences; a path, a pattern or a line of code has others. */
const prose = /^[\p{L}\p{N}\s.,;:!?'"’“”()-]+$/u;

/** Arguments without what is only said beside the call, to whoever reads it. */
export function withoutAsides(args: unknown): unknown {
  if (Array.isArray(args)) return args.map(withoutAsides);
  if (typeof args !== 'object' || args === null) return args;
  const kept = Object.entries(args).filter(([name]) => !aboutTheCall.test(name));
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      typeof value === 'string' && shellLine.test(name) ? value.replace(shellComment, '') : withoutAsides(value),
    ]),
  );
}

/** A number of three digits or more, an id, or a name within a sentence. */
const naming =
  /(?<![\p{L}\p{N}-])(?=[\p{L}\p{N}-]*\d)[\p{L}\p{N}-]{3,}|(?<=[\p{Ll}\p{N},;:)"'’”]\s)(?!I\b)\p{Lu}[\p{L}\p{N}-]*/gu;

/**
 * Arguments without texts that are nothing but prose, which a model can put in any way. What a text names stays: the order
 * 4711 is not asked for by other words than the order 4712. Two calls that are alike in this are the same call only where
 * they also answered the same.
 */
export const withoutProse = (args: unknown): unknown =>
  eachText(args, (text, name) => (isProse(text, name) ? ['<words>', ...namesIn(text)].join(' ') : text));

const namesIn = (text: string) => [...new Set(text.match(naming) ?? [])].sort();

/** The same call, however its white space is set. */
export const collapsed = (args: unknown): unknown => eachText(args, (text) => text.replace(/\s+/g, ' ').trim());

function isProse(text: string, name: string): boolean {
  if (code.test(name) || !prose.test(text)) return false;
  return text.trim().split(/\s+/).length >= (asked.test(name) ? 1 : proseWordsMin);
}

/** `name`: of the argument that the text stands in. */
function eachText(args: unknown, change: (text: string, name: string) => string, name = ''): unknown {
  if (typeof args === 'string') return change(args, name);
  if (Array.isArray(args)) return args.map((one) => eachText(one, change, name));
  if (typeof args !== 'object' || args === null) return args;
  return Object.fromEntries(Object.entries(args).map(([own, value]) => [own, eachText(value, change, own)]));
}
