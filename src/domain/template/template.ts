/** `order:{orderId}`: literal text around names of values. A dot in a name goes into an object: `{result.id}`. */
export type Template = readonly (string | Placeholder)[];
interface Placeholder {
  readonly path: readonly string[];
}

const placeholder = /\{([A-Za-z_][\w-]*(?:\.[\w-]+)*)\}/;

/** Never throws: a brace around anything but a name is literal text, which `strayBrace` finds. */
export function parseTemplate(text: string): Template {
  return text
    .split(placeholder)
    .map((part, index) => (index % 2 === 0 ? part : { path: part.split('.') }))
    .filter((part) => part !== '');
}

export const placeholdersIn = (template: Template): readonly (readonly string[])[] =>
  template.flatMap((part) => (typeof part === 'string' ? [] : [part.path]));

/** A brace that is no part of a placeholder, which is a slip wherever braces are not meant literally. */
export const strayBrace = (template: Template): boolean =>
  template.some((part) => typeof part === 'string' && /[{}]/.test(part));

/** What keeps two values apart: no letter and no digit. */
export const isSign = (char: string): boolean => !/[\p{L}\p{N}]/u.test(char);

/** Two placeholders with no sign between them: `1` and `23` would be the same text as `12` and `3`. */
export function runsTogether(template: Template): boolean {
  const first = template.findIndex((part) => typeof part !== 'string');
  const last = template.findLastIndex((part) => typeof part !== 'string');
  return template
    .slice(first, last)
    .some((part, index, parts) => typeof part !== 'string' && !holdsSign(parts[index + 1]));
}

const holdsSign = (part: Template[number] | undefined) => typeof part === 'string' && [...part].some(isSign);
