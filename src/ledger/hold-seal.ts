import type { PoolClient } from 'pg';
import type { Contract } from '../domain/contract/contract';
import { type SealProblem, sealProblem } from '../domain/contract/sealed';

interface TaskName {
  readonly tenant: string;
  readonly task: string;
}

/** Nothing may begin under the contract until it has another sealed test (R3.4). */
export class SealBrokenError extends Error {
  override readonly name = 'SealBrokenError';
  constructor(
    readonly task: string,
    readonly problem: SealProblem,
  ) {
    super(`The contract of ${task} needs a new sealed test.`);
  }
}

/** Throws SealBrokenError where the contract may not be begun under. The caller holds the starts of the task. */
export async function holdSeal(
  client: PoolClient,
  { tenant, task }: TaskName,
  contract: Pick<Contract, 'acceptance'>,
): Promise<void> {
  const problem = sealProblem(contract, await unsealedHashes(client, { tenant, task }));
  if (problem) throw new SealBrokenError(task, problem);
}
/** What tests of the task that were unsealed are. */
export async function unsealedHashes(client: PoolClient, { tenant, task }: TaskName): Promise<readonly string[]> {
  const { rows } = await client.query<{ hash: string }>(
    `select hash from sealed_acts where tenant = $1 and task = $2 and act = 'unsealed'`,
    [tenant, task],
  );
  return rows.map(({ hash }) => hash);
}
