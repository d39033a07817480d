import type { Pool } from 'pg';
import type { AttemptState } from '../../domain/attempt/states';

/** How a tenant's work stands at this moment, for whoever watches over it. */
export interface TenantCounts {
  readonly attempts: readonly { readonly state: AttemptState; readonly count: number }[];
  /** Since the oldest request for approval that nobody has answered; 0 where there is none. */
  readonly oldestApprovalSeconds: number;
  readonly openApprovals: number;
  readonly unknownEffects: number;
  readonly costMicroUsd: number;
  /** Messages that lie in the inbox of an attempt that has not ended. */
  readonly waitingMessages: number;
  /** Since the oldest of them was stored; 0 where there is none. */
  readonly oldestMessageSeconds: number;
}

const countsQuery = `select
    (select coalesce(json_agg(json_build_object('state', state, 'count', n)), '[]') from
      (select state, count(*) as n from attempts where tenant = $1 group by state) s) as attempts,
    (select json_build_object('n', count(*), 'age', coalesce(extract(epoch from clock_timestamp() - min(p.at)), 0))
      from approvals p join attempts a on a.key = p.attempt where a.tenant = $1 and a.ended_at is null and p.state = 'open') as approvals,
    (select count(*)::float8 from effects where tenant = $1 and phase = 'UNKNOWN') as unknown,
    (select coalesce(sum((account ->> 'costMicroUsd')::numeric), 0)::float8 from attempts where tenant = $1) as cost,
    (select json_build_object('n', count(*), 'age', coalesce(extract(epoch from clock_timestamp() - min(i.at)), 0))
      from inbox i join attempts a on a.key = i.attempt where a.tenant = $1 and a.ended_at is null and i.taken_by is null) as messages`;

interface Row {
  attempts: { state: AttemptState; count: number }[];
  approvals: { n: number; age: number };
  unknown: number;
  cost: number;
  messages: { n: number; age: number };
}

export async function tenantCounts(pool: Pool, tenant: string): Promise<TenantCounts> {
  const { rows } = await pool.query<Row>(countsQuery, [tenant]);
  const [row] = rows;
  if (row === undefined) throw new Error('A query without a from gave no row.');
  return {
    attempts: row.attempts,
    openApprovals: row.approvals.n,
    oldestApprovalSeconds: row.approvals.age,
    unknownEffects: row.unknown,
    costMicroUsd: row.cost,
    waitingMessages: row.messages.n,
    oldestMessageSeconds: row.messages.age,
  };
}
