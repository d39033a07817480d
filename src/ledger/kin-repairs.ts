import type { PoolClient } from 'pg';
import type { AttemptRef } from '../protocol/ids';
import { taskOf } from '../protocol/ids';
import { lockClasses, lockQuery } from './effects/effect-reads';
import { isKin } from './kin';
import { together } from './together';

const query = `select coalesce(sum((b.account ->> 'repairs')::int), 0)::int as repairs
  from attempts a join attempts b on ${isKin} where a.key = $1`;

/** One round trip; the lock comes in a statement before the read, which therefore sees what its last holder had. */
export async function kinRepairs(client: PoolClient, { tenant, id, key }: AttemptRef): Promise<number> {
  const [, { rows }] = await together(client, () =>
    Promise.all([
      client.query({ name: 'repairs-lock', text: lockQuery, values: [lockClasses.repairs, `${tenant}/${taskOf(id)}`] }),
      client.query<{ repairs: number }>({ name: 'kin-repairs', text: query, values: [key] }),
    ]),
  );
  return rows[0]?.repairs ?? 0;
}
