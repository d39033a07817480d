/** A value as a jsonb parameter: PostgreSQL takes neither NUL nor half a surrogate pair, and tools print both. */
export function jsonParam(value: unknown): string {
  const text = JSON.stringify(value);
  if (!/\\u0000|\\u[dD][89a-fA-F]/.test(text)) return text;
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? cleanText(part) : part));
}

/** A text as a parameter; the same text always gives the same. */
export function textParam(text: string): string {
  return text.includes('\u0000') || /[\uD800-\uDFFF]/.test(text) ? cleanText(text) : text;
}

function cleanText(text: string): string {
  return text
    .replaceAll('\u0000', '\uFFFD')
    .replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD');
}
