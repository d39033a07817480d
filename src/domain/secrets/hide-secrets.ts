import { withoutShapes } from './secret-shapes';

/** A text with every known secret in it replaced, and what looks like one (R10.4). */
export type Hide = (text: string) => string;

export const hiddenSecret = '(secret)';

/**
 * Shorter values stay: a local server's password is often a word (`postgres`, `not-needed`), which any output may hold, and a
 * real one is longer. Characters.
 */
const secretMinChars = 12;

/**
 * Hides the secrets in the forms in which programs repeat them: as they are, a line of one, the token behind a scheme like
 * Bearer, inside JSON or an address, in base64 or hex. Linear in the text, which may have megabytes. Whoever means to smuggle
 * one out can spell it otherwise.
 */
export function secretHider(secrets: readonly string[]): Hide {
  const plain = secrets.flatMap(plainForms).filter(({ length }) => length >= secretMinChars);
  const forms = [...new Set(plain.flatMap(encodedForms))].sort((a, b) => b.length - a.length); // one may stand in another
  return (text) =>
    withoutShapes(
      forms.reduce((rest, form) => rest.replaceAll(form, hiddenSecret), text),
      hiddenSecret,
    );
}

function plainForms(secret: string): readonly string[] {
  const token = /^(?:bearer|basic|token)\s+(.+)$/is.exec(secret)?.[1];
  return [secret, ...secret.split(/\r?\n/), ...(token === undefined ? [] : [token])].map((form) => form.trim());
}

function encodedForms(plain: string): readonly string[] {
  const bytes = Buffer.from(plain);
  return [
    plain,
    JSON.stringify(plain).slice(1, -1),
    encodeURIComponent(plain),
    bytes.toString('base64').replace(/={1,2}$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ];
}
