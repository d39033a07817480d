import type { PoolClient } from 'pg';
import { textParam } from '../json';

/**
 * Effects of ancestors that bind whoever comes after: they happened, or nobody can say that they did not, or they are about
 * to. What is claimed is waited for while somebody works on it, and otherwise taken over with its key, so that the ancestor
 * does not send it as well (E2).
 */
const inheritedQuery = `
  with own as (select key from effects where attempt = $1 and step = $2 and index = $3 order by claimed_at desc limit 1),
    before as (select count(*)::int as answered from tool_tries t
      join actions c on c.attempt = t.attempt and c.step = t.step and c.index = t.index
      where t.attempt = $1 and (t.step, t.index) < ($2, $3) and t.outcome = 'not_run' and t.failure = 'REUSED'
        and c.tool = $4 and c.args_hash = (select args_hash from actions where attempt = $1 and step = $2 and index = $3)),
    known as (select f.key, row_number() over (order by f.attempt, f.step, f.index) as nth from effects f
      where f.attempt = any($5) and f.tool = $4 and f.args_hash = decode($6, 'hex') and f.phase in ('CLAIMED', 'COMMITTED', 'COMPENSATION_FAILED', 'SENT', 'UNKNOWN'))
  select key from (select key, 0 as nth from own union all select key, nth from known, before where nth > answered) k
  order by nth limit 1`;

/** The key of an operation that an ancestor did, for the action of an attempt that was forked (R12.3). */
export async function inheritedKey(
  client: PoolClient,
  attempt: number,
  ancestors: readonly number[],
  of: { tool: string; argsHash: string; step: number; index: number },
): Promise<string | undefined> {
  const { tool, argsHash, step, index } = of;
  const { rows } = await client.query<{ key: string }>({
    name: 'inherited-key',
    text: inheritedQuery,
    values: [attempt, step, index, textParam(tool), ancestors, argsHash],
  });
  return rows[0]?.key;
}
