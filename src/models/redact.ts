/** For a person: the first characters of what the other side said. */
const detailMaxChars = 500;
/** Shorter values are words, not secrets; replacing them would garble the text. */
const secretMinChars = 4;

const secretHeader = /auth|key|token|secret|cookie/i;

/** Header values that must not be shown: those whose name says so. */
export function secretHeaderValues(headers: Readonly<Record<string, string>> | undefined): readonly string[] {
  return Object.entries(headers ?? {}).flatMap(([name, value]) => (secretHeader.test(name) ? [value] : []));
}

/** The text without the secrets in any of the spellings that an echo gives them, then cut (R10.4). */
export function redactedDetail(text: string, secrets: readonly string[]): string {
  let shown = text;
  for (const secret of secrets) {
    if (secret.length < secretMinChars) continue;
    for (const spelling of [secret, encodeURIComponent(secret), Buffer.from(secret, 'utf8').toString('base64')]) {
      shown = shown.replace(escapedOrNot(spelling), '[redacted]');
    }
  }
  shown = shown.replace(/\b(Bearer|Basic)\s+(?!\[redacted\])[\w.~+/=-]+/gi, '$1 [redacted]');
  return shown.length > detailMaxChars ? `${shown.slice(0, detailMaxChars)}…` : shown;
}

/** The spelling as it is, and inside any number of layers of JSON, each of which puts backslashes before some signs. */
function escapedOrNot(spelling: string): RegExp {
  const signs = spelling.split('').map((sign) => {
    const literal = sign.replace(/[.*+?^${}()|[\]\\/-]/, '\\$&');
    return sign === '\\' ? '\\\\+' : '"/'.includes(sign) ? `\\\\*${literal}` : literal;
  });
  return new RegExp(signs.join(''), 'g');
}
