import type { Pool } from 'pg';
import { type Audience, audiences } from '../../protocol/audiences';

/** Sealed tests keep what they printed like every other output (R3.4), and whoever works for the agent must not read it. */
const leastQuery = `select case
    when exists (select 1 from sealed_evidence s join attempts t on t.key = s.attempt
      where t.tenant = a.tenant and s.body -> 'artifact' ->> 'hash' = a.hash) then 'auditor'
    when a.media_type = 'application/x-git-bundle' then 'operator'
    else 'user' end as least
  from artifacts a where a.tenant = $1 and a.hash = $2`;

/** Whether a row of the tenant's ledger names the artifact, and this audience may see what is in it (R10.4). */
export async function mayReadArtifact(pool: Pool, tenant: string, hash: string, audience: Audience): Promise<boolean> {
  const { rows } = await pool.query<{ least: Audience }>(leastQuery, [tenant, hash]);
  const [row] = rows;
  return row !== undefined && audiences.indexOf(audience) >= audiences.indexOf(row.least);
}
