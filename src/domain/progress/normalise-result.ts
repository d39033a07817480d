import { terminalEscape } from './terminal-escape';

/**
 * A result without what changes by itself, so that it can be told whether a call answered anything new (R7).
 *
 *   I1  What is taken out is only ever a measurement of the call itself: when, how long, on which address, under which
 *       technical id. Counts, percentages, dates without a time, names and digests of content (40 or 64 hex digits)
 *       stay: they are what a result says.
 *       A number of any length stays, unless it can be a time and nothing before it says that it is a name.
 *   I2  One pass a rule, each linear in the text.
 */
type Rule = readonly [pattern: RegExp, replacement: string];

const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}';
const clock = String.raw`\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?(?: ?[AaPp][Mm]\b)?`;
const zone = String.raw`(?: ?(?:Z|UTC|GMT|[A-Z]{3,4}T|[+-]\d{2}:?\d{2}))?`;
const unit = '(?:ns|µs|μs|us|ms|msecs?|secs?|seconds?|s|mins?|minutes?|hours?|hrs?|h)';
/** Seconds to nanoseconds since 1970, in a year from 2017 to 2033. */
const stamp = String.raw`1[5-9]\d{8}(?:\.\d+|\d{3}|\d{6}|\d{9})?\b`;
const timeName = '(?:time|timestamp|date|stamp|epoch|now|since|until|expires|expiry|at|on|ts|t|iat|exp|nbf|[acm]time)';
const timeSuffix = '[a-z](?:Time|Timestamp|Date|Stamp|Epoch|Since|Until|At|On)';
/** What is called by a number. */
const named =
  '(?:account|article|batch|booking|build|call|card|case|client|code|contract|customer|ean|entry|file|iban|id|ids|invoice|isbn|issue|item|job|key|member|message|nr|no|number|order|orders|parcel|payment|person|phone|product|project|receipt|record|ref|reference|refund|request|row|run|serial|shipment|sku|task|tel|thread|ticket|transaction|transfer|user|version)';
const measured = '(?:duration|elapsed|took|latency|run_?time|response_?time|time_?taken)';

/** What draws a terminal, and says nothing. */
const drawing: readonly Rule[] = [
  [new RegExp(String.raw`${terminalEscape}\[[0-9;?]*[ -/]*[@-~]`, 'g'), ''],
  [/[\u2800-\u28ff]+/g, ''], // spinners
  [/[█▓▒░▏▎▍▌▋▊▉━─╸╺]{2,}/g, ''],
  [/\[[=#*\->. ]{4,}\]/g, '[]'],
];

const ids: readonly Rule[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>'],
  [/\b(?=\d*[A-Z])[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g, '<id>'], // ULID
  [/\b0x[0-9a-f]{6,16}\b/gi, '<address>'],
  [/\b(?![0-9a-f]{40}\b)(?![0-9a-f]{64}\b)(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{16,128}\b/g, '<id>'], // I1
  [
    /\b(?:req|request|trace|span|corr|sess|session|inv|call|resp|response|chatcmpl|log)_(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{8,64}\b/g,
    '<id>',
  ],
  [
    /((?:request|trace|span|correlation|session|invocation|response|call)[-_ ]?id"?\s*[:=]\s*)("[^"\n]{0,200}"|[\w.-]{1,200})/gi,
    '$1<id>',
  ],
  [/\b(pid[ =:]{1,3})\d+/gi, '$1<pid>'],
  [/\((node|python|ruby|java):\d+\)/g, '($1:<pid>)'],
  [/(localhost|127\.0\.0\.1|\[::1\]):\d{4,5}\b/g, '$1:<port>'],
  [/(\/(?:private\/)?(?:var\/)?tmp\/|\/var\/folders\/[^/\s]{1,64}\/[^/\s]{1,64}\/T\/)[^/\s'":,)]{1,255}/g, '$1<temp>'],
];

const times: readonly Rule[] = [
  [new RegExp(String.raw`\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?${zone}`, 'g'), '<time>'],
  [new RegExp(String.raw`\b\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4},? ${clock}${zone}`, 'g'), '<time>'],
  [
    new RegExp(
      String.raw`(?:\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? )?(?:\b\d{1,2} )?\b${month} {1,2}(?:\d{1,4},? ){0,2}${clock}${zone}(?: \d{4})?`,
      'g',
    ),
    '<time>',
  ],
  [new RegExp(String.raw`\b${clock}${zone}`, 'g'), '<time>'],
  [new RegExp(String.raw`((?:(?:\b|_)${timeName}|${timeSuffix})"?(?: ?[:=])? {0,4}"?)${stamp}`, 'g'), '$1<time>'],
  [new RegExp(String.raw`(?<![A-Za-z_-])(?!${named}\b)([a-z]{1,40} {1,4})${stamp}`, 'gi'), '$1<time>'],
  [new RegExp(String.raw`^${stamp}(?=[ \t])`, 'gm'), '<time>'],
  [new RegExp(String.raw`\[${stamp}\](?= \S)`, 'g'), '[<time>]'],
];

const durations: readonly Rule[] = [
  [/\b(?:\d+h ?)?\d+m ?\d+(?:\.\d+)?s\b/g, '<duration>'],
  [new RegExp(String.raw`\b\d+(?:[.,]\d+)? ?${unit}\b`, 'g'), '<duration>'],
  [new RegExp(String.raw`(${measured}_?(?:ms|s|seconds|millis)?"?\s*[:= ]\s*"?)\d+(?:\.\d+)?`, 'gi'), '$1<duration>'],
  [/(\btime=")[\d.]+"/g, '$1<duration>"'], // of a JUnit report
  [/\(cached\)/g, '<duration>'], // where go test has it in place of a time
  [/\b\d+(?:\.\d+)? ?(?:[kKMGT]i?)?B\/s\b/g, '<rate>'],
];

const rules: readonly Rule[] = [...drawing, ...times, ...ids, ...durations];

/** The line that says what was left out names a hash over all of it, and so over what changes by itself. */
const leftOut: Rule = [
  /\[\.\.\. \d+ bytes left out here\. .{0,40}"hash":"[0-9a-f]{64}","offset":\d+\} \.\.\.\]/g,
  '[...]',
];

export function normaliseResult(text: string): string {
  const replaced = [leftOut, ...rules].reduce(
    (result, [pattern, replacement]) => result.replace(pattern, replacement),
    redrawn(text),
  );
  return replaced
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim();
}

/** Of a line that was drawn over itself, what stood there at last. */
function redrawn(text: string): string {
  return text.includes('\r') ? text.split('\n').map(lastDrawn).join('\n') : text;
}

function lastDrawn(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end -= 1;
  return line.slice(line.slice(0, end).lastIndexOf('\r') + 1, end);
}
