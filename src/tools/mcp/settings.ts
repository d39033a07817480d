import type { Settings } from './mcp-config';

/** Shorter ones would be found in words that have nothing to do with them, characters. */
const redactedLengthMin = 6;

/** The message names the variable, and never a value. */
export class SecretNotSet extends Error {
  constructor(setting: string, variable: string) {
    super(`${setting} is to come from ${variable}, which is not set`);
    this.name = 'SecretNotSet';
  }
}

export interface ResolvedSettings {
  readonly values: Readonly<Record<string, string>>;
  /** The text without any of the secrets (R10.4). */
  readonly redact: (text: string) => string;
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
  const hidden = secrets.filter(({ length }) => length >= redactedLengthMin);
  return {
    values: Object.fromEntries(values),
    redact: (text) => hidden.reduce((rest, secret) => rest.replaceAll(secret, '(secret)'), text),
  };
}
