import type { PoolClient } from 'pg';
import { leaseMs } from '../protocol/lease';

const liveQuery = `select count(*)::int as live from executions e join workers w on w.id = e.worker
  where e.attempt = $1 and e.n <> $2 and e.finished_at is null and w.ended_at is null and w.renewed_at > clock_timestamp() - $3 * interval '1 ms'`;

/** Live executions of an attempt's other moves (R11.3). */
export async function otherExecutions(client: PoolClient, attempt: number, n: number): Promise<number> {
  const { rows } = await client.query<{ live: number }>(liveQuery, [attempt, n, leaseMs]);
  return rows[0]?.live ?? 0;
}
