import type { QueryOptions } from '../activities/ports';
import type { QueryRows } from '../domain/contract/query/query-rows';
import { resultTooLarge } from './query-errors';

/** The result, where it is no larger than asked for. Throws DatabaseError otherwise. */
export function withinLimits(result: QueryRows, limits: Pick<QueryOptions, 'rowsMax' | 'bytesMax'>): QueryRows {
  const { rowsMax, bytesMax } = limits;
  if (result.rows.length > rowsMax || Buffer.byteLength(JSON.stringify(result.rows)) > bytesMax)
    throw resultTooLarge(limits);
  return result;
}
