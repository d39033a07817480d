import type { Pool } from 'pg';
import type { Account, Limits } from '../../domain/budget/account';
import type { AttemptRef } from '../../protocol/ids';

export interface AttemptBudget {
  readonly limits: Limits;
  readonly used: Account;
}

/** What an attempt may use and has used. Rejects where the database cannot be reached. */
export async function attemptBudget(pool: Pool, ref: AttemptRef): Promise<AttemptBudget> {
  const { rows } = await pool.query<AttemptBudget>({
    name: 'attempt-budget',
    text: 'select limits, account as used from attempts where key = $1',
    values: [ref.key],
  });
  const [row] = rows;
  if (row === undefined) throw new Error(`No attempt has the key ${ref.key}`);
  return row;
}
