import type { Pool, PoolClient } from 'pg';
import type { Account, Share } from '../domain/budget/account';
import { correctShare, settleShare } from '../domain/child/share';
import { attemptId } from '../protocol/ids';
import { inTransaction } from './in-transaction';
import { jsonParam } from './json';

/** One look does a bounded amount of work; the next does the rest. */
const settledPerLookMax = 100;

const unsettledQuery = `select k.child from children k join attempts c on c.key = k.child join attempts p on p.key = k.attempt
  where k.settled_at is null and c.ended_at is not null and p.ended_at is not null order by k.child limit $1`;

/**
 * Where a parent was over before it could tell its model what a child came to, no call of it takes back what the child did not use (R6.4):
 * that is done here, once both are over.
 *
 *   I1  A share is settled once: by the parent's call, which says so in `child_ended`, or here. `settled_at` says that one of them did.
 *   I2  Whoever has settled the parent itself counted what it held for the child, and is corrected by the difference; so are those
 *       above them.
 */
export async function settleLateChildren(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ child: string }>(unsettledQuery, [settledPerLookMax]);
  for (const { child } of rows) await inTransaction(pool, (client) => settleLateChild(client, child));
}

async function settleLateChild(client: PoolClient, child: string): Promise<void> {
  const { rows } = await client.query<LateRow>(lateQuery, [child]);
  const [late] = rows;
  if (late === undefined) return;
  const parent = await lockAccount(client, late.parent);
  if (!(await hasTold(client, late.parent, attemptId(late.task, late.number)))) {
    const settled = settleShare(parent, late.share, late.account);
    await writeAccount(client, late.parent, settled);
    await correctAbove(client, late.parent, parent, settled); // I2
  }
  await client.query('update children set settled_at = clock_timestamp() where child = $1', [child]);
}

interface LateRow {
  readonly parent: string;
  readonly share: Share;
  readonly task: string;
  readonly number: number;
  readonly account: Account;
}
const lateQuery = `select k.attempt as parent, k.share, c.task, c.number, c.account
  from children k join attempts c on c.key = k.child where k.child = $1 and k.settled_at is null for update of k`;

async function correctAbove(client: PoolClient, of: string, before: Account, after: Account): Promise<void> {
  for (let key = of; ; ) {
    const { rows } = await client.query<{ parent: string; task: string; number: number; settled: boolean }>(
      `select k.attempt as parent, c.task, c.number, k.settled_at is not null as settled
       from children k join attempts c on c.key = k.child where k.child = $1`,
      [key],
    );
    const [above] = rows;
    if (above === undefined) return;
    const account = await lockAccount(client, above.parent);
    if (!above.settled && !(await hasTold(client, above.parent, attemptId(above.task, above.number)))) return;
    await writeAccount(client, above.parent, correctShare(account, before, after));
    key = above.parent;
  }
}

async function lockAccount(client: PoolClient, key: string): Promise<Account> {
  const { rows } = await client.query<{ account: Account }>('select account from attempts where key = $1 for update', [
    key,
  ]);
  if (rows[0] === undefined) throw new Error(`No attempt has the key ${key}`);
  return rows[0].account;
}

const writeAccount = (client: PoolClient, key: string, account: Account) =>
  client.query('update attempts set account = $2 where key = $1', [key, jsonParam(account)]);

/** I1: whether the parent's own call has told its model, and settled. */
async function hasTold(client: PoolClient, parent: string, child: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from events where attempt = $1 and type = 'child_ended' and payload ->> 'child' = $2`,
    [parent, child],
  );
  return rowCount !== 0;
}
