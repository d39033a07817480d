import { nearestName } from './nearest-name';

/**
 * What is wrong with the fields of an object that says what a tool is, in words; undefined where each is known. A module's
 * types are gone when it is loaded, and a field that is misspelt would be a promise that nobody keeps.
 */
export function unknownFields(object: object, known: readonly string[]): string | undefined {
  const problems = Object.keys(object)
    .filter((field) => !known.includes(field))
    .map((field) => {
      const near = nearestName(field, known);
      return `"${field}"${near === undefined ? '' : `, which may be meant as "${near}"`}`;
    });
  return problems.length === 0 ? undefined : `unknown field ${problems.join('; ')} (known here: ${known.join(', ')})`;
}
