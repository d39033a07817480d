import type { Pool, PoolClient } from 'pg';
import type { Contract } from '../domain/contract/contract';
import { sealedHash, sealedTests, unsealed } from '../domain/contract/sealed';
import { attemptId } from '../protocol/ids';
import { versionOf } from './contracts';
import { unsealedHashes } from './hold-seal';
import { inStart } from './start-attempt';

/**
 * Makes a sealed test of a task development material (R3.4), with a row that says who did and why.
 *
 *   I1  A test is unsealed while no attempt of its task lives, and once: whoever was told of it has never been judged by it since.
 *   I2  After that nothing of the task begins under a contract without another sealed test (hold-seal.ts).
 */
export interface UnsealRequest {
  readonly tenant: string;
  readonly task: string;
  readonly criterion: string;
  readonly by: string;
  readonly reason: string;
}
export type UnsealOutcome =
  /** `version`: of the contract, in which the test is development material. `known`: it was unsealed before. */
  | { readonly kind: 'unsealed' | 'known'; readonly version: number }
  | { readonly kind: 'no_task' }
  /** Attempts that have not ended. */
  | { readonly kind: 'running'; readonly attempts: readonly string[] }
  /** The newest contract has no such sealed test; it has these. */
  | { readonly kind: 'not_sealed'; readonly sealed: readonly string[] };

/** Makes a sealed test development material. Rejects with the driver's error where the database cannot be reached. */
export function unsealTest(pool: Pool, request: UnsealRequest): Promise<UnsealOutcome> {
  return inStart(pool, request, (client) => unseal(client, request));
}

interface Newest {
  readonly contract: Contract;
  readonly running: readonly number[] | null;
}
const newestQuery = `select c.body as contract,
    (select array_agg(number order by number) from attempts where tenant = $1 and task = $2 and ended_at is null) as running
  from attempts a join contracts c on c.tenant = a.tenant and c.task = a.task and c.version = coalesce(a.revised_version, a.contract_version)
  where a.tenant = $1 and a.task = $2 order by a.number desc limit 1`;

async function unseal(client: PoolClient, request: UnsealRequest): Promise<UnsealOutcome> {
  const { tenant, task, criterion: id, by, reason } = request;
  const [newest] = (await client.query<Newest>(newestQuery, [tenant, task])).rows;
  if (!newest) return { kind: 'no_task' };
  const tests = sealedTests(newest.contract);
  const test = tests.find((one) => one.id === id);
  if (!test) return { kind: 'not_sealed', sealed: tests.map((one) => one.id) };
  if (newest.running) return { kind: 'running', attempts: newest.running.map((number) => attemptId(task, number)) }; // I1
  const version = await versionOf(client, request, unsealed(newest.contract, id));
  const hash = sealedHash(test);
  if ((await unsealedHashes(client, request)).includes(hash)) return { kind: 'known', version };
  await client.query(
    `insert into sealed_acts (tenant, task, act, criterion, hash, contract_version, by_name, reason)
     values ($1, $2, 'unsealed', $3, $4, $5, $6, $7)`,
    [tenant, task, id, hash, version, by, reason],
  );
  return { kind: 'unsealed', version };
}
