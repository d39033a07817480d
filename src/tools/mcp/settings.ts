import type { Settings } from './mcp-config';

/** Shorter ones would be found in words that have nothing to do with them, characters. */
const redactedLengthMin = 6;

export interface ResolvedSettings {
  readonly values: Readonly<Record<string, string>>;
  /** The text without any of the secrets (R10.4). */
  readonly redact: (text: string) => string;
}

/** Throws, with the name of the variable and never with a value, where a secret is not set. */
export function resolveSettings(settings: Settings): ResolvedSettings {
  const secrets: string[] = [];
  const values = Object.entries(settings).map(([name, setting]) => {
    if (typeof setting === 'string') return [name, setting];
    const value = setting.read();
    if (!value) throw new Error(`${name} is to come from ${setting.env}, which is not set`);
    secrets.push(value);
    return [name, value];
  });
  const hidden = secrets.filter(({ length }) => length >= redactedLengthMin);
  return {
    values: Object.fromEntries(values),
    redact: (text) => hidden.reduce((rest, secret) => rest.replaceAll(secret, '(secret)'), text),
  };
}
