import type { Pool } from 'pg';
import type { RevocationKind } from '../../activities/ledger-port';

/** Of tenant $1, whether anything has to do with the value $2. */
const queries: Readonly<Record<Exclude<RevocationKind, 'credential'>, string>> = {
  tool: `select exists (select 1 from attempts a join actions c on c.attempt = a.key where a.tenant = $1 and c.tool = $2) as seen`,
  target: `select exists (select 1 from effects where tenant = $1 and target = $2)
    or exists (select 1 from attempts a join approvals p on p.attempt = a.key where a.tenant = $1 and p.target = $2) as seen`,
  principal: `select exists (select 1 from attempts where tenant = $1 and start ->> 'startedBy' = $2)
    or exists (select 1 from attempts a join approval_answers w on w.attempt = a.key where a.tenant = $1 and w.by_name = $2) as seen`,
  approval: `select exists (select 1 from attempts a join approvals p on p.attempt = a.key
    where a.tenant = $1 and a.task || '/' || a.number || '/s' || p.step || '.a' || p.index = $2) as seen`,
};

/** Whether the ledger has ever heard of what is to be revoked. It names no credentials. Rejects where the database cannot be reached. */
export async function seenBefore(pool: Pool, tenant: string, kind: RevocationKind, value: string): Promise<boolean> {
  if (kind === 'credential') return false;
  const { rows } = await pool.query<{ seen: boolean }>(queries[kind], [tenant, value]);
  return rows[0]?.seen ?? false;
}
