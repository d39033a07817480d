import { isSign, parseTemplate, placeholdersIn, type Template } from './template';

/** What placeholders are filled from. */
export type Values = Readonly<Record<string, unknown>>;

/** A placeholder names nothing, or no text, number or boolean where text is made of it. */
export class MissingValue extends Error {
  constructor(readonly path: string) {
    super(`there is no text or number {${path}}`);
    this.name = 'MissingValue';
  }
}

/**
 * The text. Two sets of values give two texts (E1): where several stand in one template, the signs of its literal parts
 * are escaped in values, so that `{a}:{b}` tells `1:2` and `3` from `1` and `2:3`. Throws MissingValue.
 */
export function fillTemplate(template: Template, values: Values): string {
  const signs = placeholdersIn(template).length > 1 ? signsIn(template) : new Set<string>();
  return template.map((part) => (typeof part === 'string' ? part : escaped(textAt(part.path, values), signs))).join('');
}

/**
 * JSON with its texts filled. A text that is one placeholder and nothing else becomes the value itself, so that a number
 * stays a number. Throws MissingValue.
 */
export function fillJson(json: unknown, values: Values): unknown {
  if (typeof json === 'string') return fillText(parseTemplate(json), values);
  if (Array.isArray(json)) return json.map((item) => fillJson(item, values));
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, fillJson(value, values)]));
}

function fillText(template: Template, values: Values): unknown {
  const [first] = template;
  if (template.length === 1 && typeof first === 'object') {
    const value = valueAt(first.path, values);
    if (value === undefined) throw new MissingValue(first.path.join('.'));
    return value;
  }
  return template.map((part) => (typeof part === 'string' ? part : textAt(part.path, values))).join('');
}

function textAt(path: readonly string[], values: Values): string {
  const value = valueAt(path, values);
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new MissingValue(path.join('.'));
}

function valueAt(path: readonly string[], values: Values): unknown {
  let value: unknown = values;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

function signsIn(template: Template): ReadonlySet<string> {
  const literal = template.filter((part) => typeof part === 'string').join('');
  return new Set(['%', ...[...literal].filter(isSign)]);
}

function escaped(text: string, signs: ReadonlySet<string>): string {
  return [...text].map((char) => (signs.has(char) ? `%${char.codePointAt(0)?.toString(16)};` : char)).join('');
}
