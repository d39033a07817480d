import { type Difference, differencesFrom } from '../external-check';
import { asObjects, type QueryRows } from './query-rows';

export type RowsDifference =
  | { readonly kind: 'values'; readonly differences: readonly Difference[] }
  /** Values of one row are expected, and there are so many. */
  | { readonly kind: 'rows'; readonly found: number };

/**
 * Where a result falls short of what is expected; undefined where it does not. `{ rows: [...] }` is compared with all rows, in order;
 * anything else with the only row, whose other columns do no harm.
 */
export function differenceFromRows(
  expected: Readonly<Record<string, unknown>>,
  result: QueryRows,
): RowsDifference | undefined {
  const objects = asObjects(result);
  const [only] = objects;
  const whole = Object.keys(expected).length === 1 && Array.isArray(expected['rows']);
  if (!whole && (only === undefined || objects.length > 1)) return { kind: 'rows', found: objects.length };
  const differences = differencesFrom(expected, whole ? { rows: objects } : only);
  return differences.length > 0 ? { kind: 'values', differences } : undefined;
}
