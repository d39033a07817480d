import type { Settings } from './mcp-config';
import { isRecord } from './record';

/** Shorter ones would be found in words that have nothing to do with them, characters. */
const redactedLengthMin = 6;
const hiddenWord = '(secret)';

/** The message names the variable, and never a value. */
export class SecretNotSet extends Error {
  constructor(setting: string, variable: string) {
    super(`${setting} is to come from ${variable}, which is not set`);
    this.name = 'SecretNotSet';
  }
}

/** Hides the secrets of a server's settings (R10.4). */
export interface Redaction {
  /** The text without any of them. */
  readonly text: (text: string) => string;
  /** The same of a text whose end is missing: without the beginning of one at its end, either. */
  readonly cutText: (text: string) => string;
  /** The JSON value without any of them in its texts and names. */
  readonly json: <T>(value: T) => T;
}

export interface ResolvedSettings {
  readonly values: Readonly<Record<string, string>>;
  readonly redaction: Redaction;
}

/** Throws SecretNotSet. */
export function resolveSettings(settings: Settings): ResolvedSettings {
  const secrets: string[] = [];
  const values = Object.entries(settings).map(([name, setting]) => {
    if (typeof setting === 'string') return [name, setting];
    const value = setting.read();
    if (!value) throw new SecretNotSet(name, setting.env);
    secrets.push(value);
    return [name, value];
  });
  return { values: Object.fromEntries(values), redaction: redactionOf(secrets) };
}

function redactionOf(secrets: readonly string[]): Redaction {
  const forms = new Set(secrets.flatMap(formsOf).filter(({ length }) => length >= redactedLengthMin));
  const hidden = [...forms].sort((a, b) => b.length - a.length); // one may stand in another
  const text = (whole: string) => hidden.reduce((rest, secret) => rest.replaceAll(secret, hiddenWord), whole);
  return {
    text,
    cutText: (cut) => withoutBegun(text(cut), hidden),
    json: (value) => (hidden.length === 0 ? value : JSON.parse(JSON.stringify(value), reviver(text))),
  };
}

/** As servers repeat it: a line of it, the token of an `Authorization` without its scheme, any of these inside JSON. */
function formsOf(secret: string): readonly string[] {
  const token = /^(?:bearer|basic|token)\s+(.+)$/is.exec(secret)?.[1];
  const plain = [secret, ...secret.split(/\r?\n/), ...(token === undefined ? [] : [token])].map((form) => form.trim());
  return plain.flatMap((form) => [form, JSON.stringify(form).slice(1, -1)]);
}

function withoutBegun(text: string, hidden: readonly string[]): string {
  const begun = hidden.map((secret) => {
    let length = Math.min(secret.length - 1, text.length);
    while (length > 0 && !text.endsWith(secret.slice(0, length))) length--;
    return length;
  });
  const longest = Math.max(0, ...begun);
  return longest < redactedLengthMin ? text : text.slice(0, -longest) + hiddenWord;
}

const reviver =
  (redact: (text: string) => string) =>
  (_: string, value: unknown): unknown => {
    if (typeof value === 'string') return redact(value);
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [redact(name), inner]));
  };
