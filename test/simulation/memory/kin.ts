import { taskOf } from '../../../src/protocol/ids';
import type { Tables } from './tables';

/** Keys of the attempts of the task that act for the same end. */
export function kinOf(tables: Tables, attempt: number): readonly number[] {
  const own = tables.attempts.get(attempt)?.head;
  if (!own) return [];
  const { ref, forkedFrom } = own.row;
  return [...tables.attempts.values()]
    .map(({ head }) => head)
    .filter(({ row, kinAfter }) => {
      if (row.ref.key === attempt || row.ref.tenant !== ref.tenant || taskOf(row.ref.id) !== taskOf(ref.id))
        return false;
      const sameEnd = numberOf(row.ref.id) > own.kinAfter && kinAfter < numberOf(ref.id);
      return sameEnd || forkedFrom?.ancestors.includes(row.ref.key) || row.forkedFrom?.ancestors.includes(attempt);
    })
    .map(({ row }) => row.ref.key);
}
const numberOf = (id: string) => Number(id.slice(taskOf(id).length + 1));
