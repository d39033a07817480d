/** What is told of a statement without a database, from its words outside of texts and comments. */
export interface SqlScan {
  /** How many statements there are. */
  readonly statements: number;
  /** In lower case; empty where there is none. */
  readonly firstWord: string;
  /** Its outermost part says in which order the rows come. */
  readonly ordered: boolean;
  /** Words whose value is another one at another time, or each time: `now()`, `random()`. */
  readonly changing: readonly string[];
}

/** Reads what is the same in the dialects of PostgreSQL and SQLite. */
export function scanSql(sql: string): SqlScan {
  const tokens = tokensOf(sql);
  const words = tokens.filter(({ kind }) => kind !== 'end');
  const first = words[0];
  return {
    statements: countStatements(tokens),
    firstWord: first?.kind === 'word' ? first.text : '',
    ordered: isOrdered(words),
    changing: [...new Set(changingWords(words))],
  };
}

interface Token {
  readonly kind: 'word' | 'text' | 'sign' | 'end';
  /** Words in lower case; of a text what stands between its quotes. */
  readonly text: string;
}

/** In order: comments, dollar-quoted text, quoted text, quoted names, words, the end of a statement, any other sign. */
const piece =
  /(?<skip>\s+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|(?<dollar>\$(?:[a-z_]\w*)?\$)|(?<quoted>e?'(?:[^']|'')*(?:'|$))|(?<name>"(?:[^"]|"")*(?:"|$)|`[^`]*(?:`|$)|\[[^\]]*(?:\]|$))|(?<word>[a-z_\u0080-\uffff][\w$\u0080-\uffff]*)|(?<end>;)|(?<sign>[\s\S])/iy;

function tokensOf(sql: string): readonly Token[] {
  const tokens: Token[] = [];
  piece.lastIndex = 0;
  for (let found = piece.exec(sql); found?.groups; found = piece.exec(sql)) {
    const { dollar, quoted, name, word, end, sign } = found.groups;
    if (dollar !== undefined) {
      const close = sql.indexOf(dollar, piece.lastIndex);
      tokens.push({ kind: 'text', text: sql.slice(piece.lastIndex, close < 0 ? sql.length : close) });
      piece.lastIndex = close < 0 ? sql.length : close + dollar.length;
    } else if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted.replace(/^e?'|'$/gi, '') });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word.toLowerCase() });
    else if (end !== undefined) tokens.push({ kind: 'end', text: end });
    else if (name !== undefined || sign !== undefined) tokens.push({ kind: 'sign', text: name ?? sign ?? '' });
  }
  return tokens;
}

function countStatements(tokens: readonly Token[]): number {
  const starts = tokens.filter(({ kind }, index) => kind !== 'end' && (tokens[index - 1]?.kind ?? 'end') === 'end');
  return starts.length;
}

function isOrdered(tokens: readonly Token[]): boolean {
  let depth = 0;
  return tokens.some(({ text, kind }, index) => {
    if (kind === 'sign' && text === '(') depth += 1;
    if (kind === 'sign' && text === ')') depth -= 1;
    return depth === 0 && kind === 'word' && text === 'order' && tokens[index + 1]?.text === 'by';
  });
}

const changingNames = new Set(['current_date', 'current_time', 'current_timestamp', 'localtime', 'localtimestamp']);
const changingCalls = new Set([
  ...['now', 'clock_timestamp', 'statement_timestamp', 'transaction_timestamp', 'timeofday'],
  ...[
    'random',
    'randomblob',
    'random_normal',
    'gen_random_uuid',
    'uuid_generate_v1',
    'uuid_generate_v4',
    'uuidv4',
    'uuidv7',
  ],
]);
/** Called with nothing, they mean the present moment. */
const clockCalls = new Set(['date', 'time', 'datetime', 'julianday', 'unixepoch']);
const clockTexts = new Set(['now', 'today', 'tomorrow', 'yesterday']);

/** A clock's text is one where something makes a time of it: `date('now')`, `'today'::date`, `date 'today'`. */
function changingWords(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap(({ kind, text }, index) => {
    const at = (offset: number) => tokens[index + offset]?.text;
    if (kind === 'text' && clockTexts.has(text.toLowerCase())) {
      const made = at(1) === ':' && at(2) === ':';
      const before = at(-1) === '(' || at(-1) === ',' ? at(-2) : at(-1);
      const called =
        before !== undefined &&
        /^(date|time|datetime|timestamp|timestamptz|julianday|unixepoch|strftime)$/.test(before);
      return made || called || isStrftime(tokens, index) ? [`'${text}'`] : [];
    }
    if (kind !== 'word') return [];
    if (changingNames.has(text)) return at(-1) === '.' ? [] : [text];
    if (at(1) !== '(') return [];
    if (changingCalls.has(text)) return [`${text}()`];
    return clockCalls.has(text) && at(2) === ')' ? [`${text}()`] : [];
  });
}

/** `strftime('%Y', 'now')`: the clock's text comes second. */
const isStrftime = (tokens: readonly Token[], index: number) =>
  tokens[index - 1]?.text === ',' && tokens[index - 3]?.text === '(' && tokens[index - 4]?.text === 'strftime';
