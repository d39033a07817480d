import { canonicalHash } from '../canonical';

export interface Difference {
  /** Where in the answer: `status`, `parcel.carrier`. */
  readonly path: string;
  readonly expected: unknown;
  /** Undefined where the answer has nothing there. */
  readonly found: unknown;
}

/**
 * Where an answer falls short of what is expected (R3.3): objects are compared key by key, anything else must be equal, and
 * what nobody asked about does no harm.
 */
export function differencesFrom(expected: Readonly<Record<string, unknown>>, answer: unknown): readonly Difference[] {
  return differences(expected, answer, '');
}

function differences(expected: unknown, found: unknown, path: string): readonly Difference[] {
  if (!isRecord(expected)) return isEqual(expected, found) ? [] : [{ path, expected, found }];
  if (!isRecord(found)) return [{ path, expected, found }];
  return Object.entries(expected).flatMap(([key, value]) => {
    const there = Object.hasOwn(found, key) ? found[key] : undefined;
    return differences(value, there, path === '' ? key : `${path}.${key}`);
  });
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Both came out of JSON; only what is missing did not. */
const isEqual = (expected: unknown, found: unknown) =>
  found !== undefined && canonicalHash({ value: expected }) === canonicalHash({ value: found });

/** A value of an answer is shown up to so many characters: the whole answer is beside it. */
const shownMaxChars = 200;

/** For the model and for people; what was found is data of another system. */
export function differenceInWords({ path, expected, found }: Difference): string {
  const where = path === '' ? 'The answer' : `\`${path}\``;
  return `${where}: expected ${shown(expected)}, found ${found === undefined ? 'nothing' : shown(found)}.`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > shownMaxChars ? `${text.slice(0, shownMaxChars)}…` : text;
}
