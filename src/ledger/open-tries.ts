import type { PoolClient } from 'pg';
import type { OpenTry } from '../activities/ledger-port';

/** The newest execution of one try. */
export async function newestModelTry(
  client: PoolClient,
  attempt: number,
  step: number,
  tryNumber: number,
): Promise<OpenTry | undefined> {
  const { rows } = await client.query<OpenTry>(
    `select execution, closed_at is not null as closed, reserved from model_tries
     where attempt = $1 and step = $2 and try = $3 order by execution desc limit 1`,
    [attempt, step, tryNumber],
  );
  return rows[0];
}

/** As above; a tool holds no usage. */
export async function newestToolTry(
  client: PoolClient,
  attempt: number,
  step: number,
  index: number,
  tryNumber: number,
): Promise<OpenTry | undefined> {
  const { rows } = await client.query<{ execution: number; closed: boolean }>(
    `select execution, closed_at is not null as closed from tool_tries
     where attempt = $1 and step = $2 and index = $3 and try = $4 order by execution desc limit 1`,
    [attempt, step, index, tryNumber],
  );
  const row = rows[0];
  return row && { ...row, reserved: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, costMicroUsd: 0 } };
}
