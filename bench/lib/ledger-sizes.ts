import type { Pool } from 'pg';
import type { AttemptRef } from '../../src/protocol/ids';

/** Tables that hold rows of one step, all of which are only added to or closed. */
const stepTables = ['model_tries', 'steps', 'actions', 'tool_tries', 'observations', 'events'];

/** Bytes of the rows of each step, without indexes, by step: what the step itself has added to the ledger. */
export async function ledgerSizes(pool: Pool, ref: AttemptRef): Promise<number[]> {
  const union = stepTables
    .map(
      (table) => `select step, pg_column_size(t.*) as bytes from holdfast.${table} t where attempt = $1 and step > 0`,
    )
    .join(' union all ');
  const { rows } = await pool.query<{ bytes: string }>(
    `select sum(bytes)::text as bytes from (${union}) as all_rows group by step order by step`,
    [ref.key],
  );
  return rows.map((row) => Number(row.bytes));
}
