import { z } from 'zod';

/**
 * An object that refuses keys it does not know, and says which ones it knows. `later` names keys that a person may have
 * read about and that this version does not act on: accepting one in silence would be a promise nobody keeps.
 */
export function closedObject<Shape extends z.ZodRawShape>(shape: Shape, later: Readonly<Record<string, string>> = {}) {
  const known = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined;
      const explained = issue.keys.map((key) => {
        const why = later[key];
        return why === undefined ? `unknown key "${key}"` : `"${key}" is not in this version: ${why}`;
      });
      return `${explained.join('; ')} (known here: ${known})`;
    },
  });
}
