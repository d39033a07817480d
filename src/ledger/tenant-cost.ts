import type { Pool, PoolClient } from 'pg';
import { lockClasses, lockQuery } from './effects/effect-reads';
import { together } from './together';

// An account is the sum of its attempt's tries, so tries are read one by one only of attempts that began before the period.
const costQuery = `
  select coalesce(sum(case when a.created_at >= $2 then (a.account ->> 'costMicroUsd')::bigint + (a.account ->> 'reservedCostMicroUsd')::bigint
    else (select coalesce(sum((coalesce(t.usage, t.reserved) ->> 'costMicroUsd')::bigint), 0) from model_tries t
          where t.attempt = a.key and t.opened_at >= $2) end), 0) as cost
  from attempts a where a.tenant = $1 and (a.ended_at is null or a.ended_at >= $2)`;

const costs = (tenant: string, since: Date | undefined) => ({
  name: 'tenant-cost',
  text: costQuery,
  values: [tenant, since ?? '-infinity'],
});

/** One round trip; the lock comes in a statement before the read, which therefore sees what its last holder reserved. */
export async function tenantCost(client: PoolClient, tenant: string, since: Date | undefined): Promise<number> {
  const [, { rows }] = await together(client, () =>
    Promise.all([
      client.query({ name: 'cost-lock', text: lockQuery, values: [lockClasses.cost, tenant] }),
      client.query<{ cost: string }>(costs(tenant, since)),
    ]),
  );
  return Number(rows[0]?.cost);
}

/** The same for whoever only looks: it holds nothing off. Rejects where the database cannot be reached. */
export async function tenantCostSoFar(pool: Pool, tenant: string, since: Date | undefined): Promise<number> {
  const { rows } = await pool.query<{ cost: string }>(costs(tenant, since));
  return Number(rows[0]?.cost);
}
