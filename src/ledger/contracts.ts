import type { PoolClient } from 'pg';
import type { Contract } from '../domain/contract/contract';
import { contractHash } from '../domain/contract/hash';
import type { AttemptRef } from '../protocol/ids';
import { jsonParam } from './json';

interface TaskName {
  readonly tenant: string;
  readonly task: string;
}

/** Holds off other starts and new contracts of the task. An advisory lock: a row's asks for the right to change history. */
export async function lockTask(client: PoolClient, { tenant, task }: TaskName): Promise<void> {
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`start ${tenant}/${task}`]);
}

/** The version of this contract: a new one where its hash is new to the task. The caller holds the task. */
export async function versionOf(client: PoolClient, { tenant, task }: TaskName, contract: Contract): Promise<number> {
  const hash = contractHash(contract);
  const inserted = `insert into contracts (tenant, task, version, hash, body)
    select $1, $2, coalesce(max(version), 0) + 1, $3, $4 from contracts where tenant = $1 and task = $2
    on conflict (tenant, task, hash) do nothing`;
  await client.query(inserted, [tenant, task, hash, jsonParam(contract)]);
  const found = 'select version from contracts where tenant = $1 and task = $2 and hash = $3';
  const { rows } = await client.query<{ version: number }>(found, [tenant, task, hash]);
  const [row] = rows;
  if (row === undefined) throw new Error(`The contract of ${tenant}/${task} was not stored`);
  return row.version;
}

/** A version of an attempt's contract, by its key. */
export async function readContract(client: PoolClient, { key, id }: AttemptRef, version: number): Promise<Contract> {
  const { rows } = await client.query<{ body: Contract }>(contractQuery, [key, version]);
  if (!rows[0]) throw new Error(`Attempt ${id} has no contract ${version} in the ledger.`);
  return rows[0].body;
}

/** Of an attempt's task; undefined: the one that it was started with. */
export const contractQuery = `select c.body from attempts a
    join contracts c on c.tenant = a.tenant and c.task = a.task and c.version = coalesce($2, a.contract_version)
  where a.key = $1`;
