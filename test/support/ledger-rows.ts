import type { Pool } from 'pg';
import type { Account } from '../../src/domain/budget/account';
import type { AttemptRef } from '../../src/protocol/ids';

/** Rows of one attempt as tests look at them. */

export async function rowsOf<R extends object>(pool: Pool, ref: AttemptRef, query: string): Promise<R[]> {
  return (await pool.query<R>(query, [ref.key])).rows;
}

export async function accountOf(pool: Pool, ref: AttemptRef): Promise<Account> {
  const rows = await rowsOf<{ account: Account }>(pool, ref, 'select account from attempts where key = $1');
  if (!rows[0]) throw new Error(`No attempt has the key ${ref.key}.`);
  return rows[0].account;
}

export interface ModelTryRow {
  try: number;
  execution: number;
  outcome: string | null;
  failure: string | null;
  reserved: { inputTokens: number; outputTokens: number; costMicroUsd: number };
  usage: { inputTokens: number; outputTokens: number; costMicroUsd: number } | null;
}
export function modelTries(pool: Pool, ref: AttemptRef): Promise<ModelTryRow[]> {
  return rowsOf(
    pool,
    ref,
    'select try, execution, outcome, failure, reserved, usage from model_tries where attempt = $1 order by step, try, execution',
  );
}

export function toolTries(
  pool: Pool,
  ref: AttemptRef,
): Promise<
  { step: number; index: number; try: number; execution: number; outcome: string | null; failure: string | null }[]
> {
  return rowsOf(
    pool,
    ref,
    'select step, index, try, execution, outcome, failure from tool_tries where attempt = $1 order by step, index, try, execution',
  );
}

/** What the model was told of each action, in order: the text, or the error where it was one. */
export async function observations(
  pool: Pool,
  ref: AttemptRef,
): Promise<{ index: number; ok: boolean; text: string; code: string | undefined }[]> {
  const rows = await rowsOf<{ index: number; ok: boolean; text: string }>(
    pool,
    ref,
    `select index, ok, body ->> 'text' as text from observations where attempt = $1 order by step, index`,
  );
  return rows.map((row) => ({ ...row, code: row.ok ? undefined : /"code":"([A-Z_]+)"/.exec(row.text)?.[1] }));
}

export async function eventTypes(pool: Pool, ref: AttemptRef): Promise<string[]> {
  const rows = await rowsOf<{ type: string }>(
    pool,
    ref,
    'select type from events where attempt = $1 order by sequence',
  );
  return rows.map(({ type }) => type);
}
