import { squash } from './squash';

/** For a person: the first characters of what the other side said. */
const detailMaxChars = 500;
/** Shorter values are words, not secrets; replacing them would garble the text. */
const secretMinChars = 4;
/** An error body is shorter; of a longer one nothing behind this is shown, characters. */
const readMaxChars = 64 * 1024;
/** So many times a secret's length is read of a text that is nothing but it: what is shown never reaches where reading ended. */
const readSecrets = 400;

const secretHeader = /auth|key|token|secret|cookie/i;
export const redacted = '[redacted]';

/** Header values that must not be shown: those whose name says so, and what follows a scheme like Bearer. */
export function secretHeaderValues(headers: Readonly<Record<string, string>> | undefined): readonly string[] {
  return Object.entries(headers ?? {}).flatMap(([name, value]) =>
    secretHeader.test(name) ? [value, value.slice(value.lastIndexOf(' ') + 1)] : [],
  );
}

/**
 * The text without the secrets in any of the spellings that an echo gives them (other case, spaces, escapes of JSON and
 * of URLs, hex, base64), then cut (R10.4). A server that means to smuggle one out can spell it otherwise.
 */
export function redactedDetail(text: string, secrets: readonly string[]): string {
  const longest = Math.max(0, ...secrets.map(({ length }) => length));
  const read = text.slice(0, Math.max(readMaxChars, longest * readSecrets));
  const shown = withoutSpellings(read, secrets.flatMap(spellings)).replace(
    /\b(Bearer|Basic)\s+(?!\[redacted\])[\w.~+/=-]+/gi,
    `$1 ${redacted}`,
  );
  return shown.length > detailMaxChars ? `${shown.slice(0, detailMaxChars)}…` : shown;
}

function spellings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const encoded = [bytes.toString('hex'), bytes.toString('base64').replace(/={1,2}$/, ''), bytes.toString('base64url')];
  return [secret, ...encoded].map((spelling) => squash(spelling).signs);
}

/** Finds by plain search in the squashed text, which is linear whatever the other side sent. */
function withoutSpellings(text: string, spelled: readonly string[]): string {
  const { signs, starts } = squash(text);
  const hidden: [from: number, to: number][] = [];
  for (const spelling of spelled) {
    if (spelling.length < secretMinChars) continue;
    for (let at = signs.indexOf(spelling); at >= 0; at = signs.indexOf(spelling, at + spelling.length)) {
      hidden.push([starts[at] ?? 0, starts[at + spelling.length] ?? text.length]);
    }
  }
  let shown = '';
  let done = 0;
  for (const [from, to] of hidden.sort(([one], [other]) => one - other)) {
    if (from >= done) shown += text.slice(done, from) + redacted;
    done = Math.max(done, to);
  }
  return shown + text.slice(done);
}
