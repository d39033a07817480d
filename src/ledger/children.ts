import type { PoolClient } from 'pg';
import type { AttemptRow, ChildRow, NewChild } from '../activities/ledger-port';
import type { Share } from '../domain/budget/account';
import { canonicalHash } from '../domain/canonical';
import { type AttemptRef, actionId, attemptId } from '../protocol/ids';
import { versionOf } from './contracts';
import { lockClasses, lockQuery } from './effects/effect-reads';
import { holdTask } from './hold-task';
import { insertAttempt } from './insert-attempt';
import { jsonParam } from './json';

/** Child attempts as rows of their parent (R15.1). */

const childrenQuery = `select c.step, c.index, c.share, a.tenant, a.task, a.number, a.key, a.ended_at is not null as ended
  from children c join attempts a on a.key = c.child
  where c.attempt = $1 and (a.ended_at is null or not exists
    (select from observations o where o.attempt = c.attempt and o.step = c.step and o.index = c.index))
  order by c.step, c.index`;

interface Row {
  step: number;
  index: number;
  share: Share;
  tenant: string;
  task: string;
  number: number;
  key: string;
  ended: boolean;
}

/** Those that run, or whose end the parent's model has not been told. */
export async function openChildren(client: PoolClient, attempt: number): Promise<readonly ChildRow[]> {
  const { rows } = await client.query<Row>({ name: 'open-children', text: childrenQuery, values: [attempt] });
  return rows.map(({ step, index, share, tenant, task, number, key, ended }) => ({
    step,
    index,
    share,
    ref: { tenant, id: attemptId(task, number), key: Number(key) },
    ended,
  }));
}

/** Descendants of the root that run; holds off every other look at them until the transaction ends. */
export async function liveUnder(client: PoolClient, tenant: string, root: number): Promise<number> {
  await client.query(lockQuery, [lockClasses.children, `${tenant}/${root}`]);
  const { rows } = await client.query<{ live: number }>(
    `select count(*)::int as live from children c join attempts a on a.key = c.child
     where c.root = $1 and a.ended_at is null`,
    [root],
  );
  return rows[0]?.live ?? 0;
}

/** Makes the child in the parent's transaction, which holds the parent's row. */
export async function insertChild(
  client: PoolClient,
  { ref: parent, startedBy, tainted, versions }: AttemptRow,
  { step, index, task, contract, limits, share, start, origin }: NewChild,
): Promise<AttemptRef> {
  const { tenant } = parent;
  await holdTask(client, { tenant, task });
  await client.query('insert into tasks (tenant, task) values ($1, $2) on conflict do nothing', [tenant, task]);
  const { rows } = await client.query<{ next: number }>(
    'select coalesce(max(number), 0) + 1 as next from attempts where tenant = $1 and task = $2',
    [tenant, task],
  );
  const { ref } = await insertAttempt(client, {
    tenant,
    task,
    number: rows[0]?.next ?? 1,
    contractVersion: await versionOf(client, { tenant, task }, contract),
    startHash: canonicalHash({ child: actionId(parent.id, step, index) }),
    limits,
    input: contract.goal,
    snapshot: start,
    versions,
    ...(startedBy !== '' && { by: startedBy }),
    heritage: { tainted, staleTargets: [] },
    child: origin,
  });
  await client.query(
    'insert into children (attempt, step, index, child, root, share) values ($1, $2, $3, $4, $5, $6)',
    [parent.key, step, index, ref.key, origin.root, jsonParam(share)],
  );
  return ref;
}
