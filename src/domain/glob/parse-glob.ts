/** One part of a path pattern. `deep` also crosses slashes. */
export type GlobPart =
  | { readonly kind: 'sign'; readonly sign: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'set'; readonly negated: boolean; readonly ranges: readonly (readonly [string, string])[] }
  | { readonly kind: 'star'; readonly deep: boolean }
  | { readonly kind: 'oneOf'; readonly choices: readonly GlobParts[] };
export type GlobParts = readonly GlobPart[];

/** `glob`: what people and models write. `ignore`: a line of a .gitignore, where braces are signs like any other. */
export type GlobDialect = 'glob' | 'ignore';

/** A path pattern that is not understood; the message says why, for whoever wrote it. */
export class BadGlob extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'BadGlob';
  }
}

/** Longer patterns are lists, which belong in several patterns; a match costs pattern × path. Characters. */
export const globMaxChars = 500;

/**
 * Reads `*`, `**` (a whole part: any number of folders), `?`, `[a-z]`, `[!a]`, `{a,b}` and backslashes. What other
 * matchers know beside these is refused and not taken literally, since the pattern would hold something else than meant.
 * Throws BadGlob.
 */
export function parseGlob(glob: string, dialect: GlobDialect = 'glob'): GlobParts {
  if (glob.length > globMaxChars) throw new BadGlob(`a pattern has at most ${globMaxChars} characters`);
  if (dialect === 'glob') refuseForeign(glob);
  const reader = { signs: [...glob], at: 0, dialect };
  const parts = readSequence(reader, true, false);
  if (reader.at < reader.signs.length) throw new BadGlob('a } closes nothing');
  return parts;
}

function refuseForeign(glob: string): void {
  if (glob.startsWith('!')) throw new BadGlob('a leading ! is not understood');
  if (/(?<!\\)(?:[@?*+!]\(|\|)/.test(glob)) throw new BadGlob('( | ) is not understood; write {a,b}');
  if (/\{[^{},]*\.\.[^{},]*\}/.test(glob)) throw new BadGlob('{1..3} is not understood; write {1,2,3}');
}

interface Reader {
  readonly signs: readonly string[];
  at: number;
  readonly dialect: GlobDialect;
}

/** Up to the end, or inside braces up to a `,` or `}`, which is left to be read. */
function readSequence(reader: Reader, atStart: boolean, inBraces: boolean): GlobParts {
  const parts: GlobPart[] = [];
  let partBegins = atStart;
  while (reader.at < reader.signs.length) {
    const sign = reader.signs[reader.at] ?? '';
    if (reader.dialect === 'glob' && (sign === '}' || (sign === ',' && inBraces))) break;
    parts.push(...readPart(reader, sign, partBegins));
    partBegins = reader.signs[reader.at - 1] === '/';
  }
  return parts;
}

function readPart(reader: Reader, sign: string, partBegins: boolean): GlobParts {
  reader.at += 1;
  switch (sign) {
    case '\\':
      return [{ kind: 'sign', sign: escaped(reader) }];
    case '?':
      return [{ kind: 'any' }];
    case '[':
      return [readSet(reader)];
    case '{':
      return reader.dialect === 'glob' ? readBraces(reader, partBegins) : [{ kind: 'sign', sign }];
    case '*':
      return readStars(reader, partBegins);
    case '/':
      // `a/**` at the end holds `a` too: a folder may have been replaced. `*/**` asks for a folder.
      if (
        reader.dialect === 'glob' &&
        reader.signs[reader.at - 2] !== '*' &&
        /^(\*\*\/)*\*\*$/.test(reader.signs.slice(reader.at).join(''))
      ) {
        reader.at = reader.signs.length;
        return [
          {
            kind: 'oneOf',
            choices: [
              [],
              [
                { kind: 'sign', sign },
                { kind: 'star', deep: true },
              ],
            ],
          },
        ];
      }
  }
  return [{ kind: 'sign', sign }];
}

function readStars(reader: Reader, partBegins: boolean): GlobParts {
  const from = reader.at - 1;
  while (reader.signs[reader.at] === '*') reader.at += 1;
  const next = reader.signs[reader.at];
  const endsPart = next === undefined || next === '/' || next === '}' || next === ',';
  if (reader.at - from !== 2 || !partBegins || !endsPart) return [{ kind: 'star', deep: false }];
  if (next !== '/') return [{ kind: 'star', deep: true }];
  reader.at += 1;
  const folders: GlobParts = [
    { kind: 'star', deep: true },
    { kind: 'sign', sign: '/' },
  ];
  return [{ kind: 'oneOf', choices: [[], folders] }];
}

function readBraces(reader: Reader, partBegins: boolean): GlobParts {
  const choices: GlobParts[] = [];
  for (;;) {
    choices.push(readSequence(reader, partBegins, true));
    const end = reader.signs[reader.at];
    if (end === undefined) throw new BadGlob('a { is not closed');
    reader.at += 1;
    if (end === '}') break;
  }
  const [only = []] = choices;
  // Braces around one choice are signs: `{id}` is a folder's name in some repositories.
  if (choices.length === 1) return [{ kind: 'sign', sign: '{' }, ...only, { kind: 'sign', sign: '}' }];
  return [{ kind: 'oneOf', choices }];
}

function readSet(reader: Reader): GlobPart {
  const ranges: [string, string][] = [];
  const negated = ['!', '^'].includes(reader.signs[reader.at] ?? '');
  if (negated) reader.at += 1;
  for (let first = true; ; first = false) {
    const sign = reader.signs[reader.at];
    if (sign === undefined) throw new BadGlob('a [ is not closed');
    reader.at += 1;
    if (sign === ']' && !first) return { kind: 'set', negated, ranges };
    if (sign === '[' && reader.signs[reader.at] === ':') throw new BadGlob('[:class:] is not understood');
    const low = sign === '\\' ? escaped(reader) : sign;
    const upTo = reader.signs[reader.at + 1];
    if (reader.signs[reader.at] !== '-' || upTo === ']' || upTo === undefined) {
      ranges.push([low, low]);
      continue;
    }
    reader.at += 2;
    ranges.push([low, upTo === '\\' ? escaped(reader) : upTo]);
  }
}

function escaped(reader: Reader): string {
  const sign = reader.signs[reader.at];
  if (sign === undefined) throw new BadGlob('a backslash stands at the end');
  reader.at += 1;
  return sign;
}
