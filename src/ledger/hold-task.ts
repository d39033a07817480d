import type { PoolClient } from 'pg';
import { lockTask } from './contracts';

/**
 * Holds the starts of a task, and every attempt of it that has not ended, until the transaction ends: what begins here is kin of
 * those, and none of them may be half through a claim that does not know of it (I3 of kin.ts).
 *
 * An attempt that makes a new contract at this moment has its row and waits for the task: one of the two is ended and done again
 * (inTransaction).
 */
export async function holdTask(
  client: PoolClient,
  { tenant, task }: { readonly tenant: string; readonly task: string },
): Promise<void> {
  await lockTask(client, { tenant, task });
  await client.query(
    'select from attempts where tenant = $1 and task = $2 and ended_at is null order by key for no key update',
    [tenant, task],
  );
}
