import { canonicalHash } from '../../canonical';
import type { QueryRows } from './query-rows';

/**
 * Whether two results are the same one. Where the query says no order, the order in which rows happen to come is no part of its result;
 * where it says one, it is.
 */
export function sameRows(a: QueryRows, b: QueryRows, ordered: boolean): boolean {
  return resultHash(a, ordered) === resultHash(b, ordered);
}

/** Hash over the canonical form of a result: 64 hex digits. */
export function resultHash({ columns, rows }: QueryRows, ordered: boolean): string {
  const hashes = rows.map((row) => canonicalHash(row));
  return canonicalHash({ columns, rows: ordered ? hashes : hashes.sort() });
}
