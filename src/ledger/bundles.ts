import type { PoolClient } from 'pg';
import type { BundleRow } from '../activities/ledger-port';
import { leaseMs } from '../protocol/lease';
import type { Batch } from './batch';

/** The chain that ends in a snapshot, oldest first. */
export const bundlesQuery = `
  with recursive chain as (
    select snapshot, thin_on, hash, bytes, 0 as back from workspace_bundles where tenant = $1 and snapshot = $2
    union all
    select b.snapshot, b.thin_on, b.hash, b.bytes, back + 1 from chain join workspace_bundles b on b.tenant = $1 and b.snapshot = chain.thin_on)
  select snapshot, thin_on as "thinOn", hash, bytes::float8 as bytes from chain order by back desc`;

const bundleType = 'application/x-git-bundle';

/** Two attempts can come to the same snapshot: the first bundle stands, and its body is as good. */
export function keepBundle(batch: Batch, tenant: string, { snapshot, thinOn, hash, bytes }: BundleRow): void {
  batch.add(
    `insert into workspace_bundles (tenant, snapshot, thin_on, hash, bytes) values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [tenant, snapshot, thinOn, hash, bytes],
  );
  batch.add(
    `insert into artifacts (tenant, hash, bytes, media_type) values ($1, $2, $3, $4) on conflict (tenant, hash) do nothing`,
    [tenant, hash, bytes, bundleType],
  );
}

export async function hostLives(client: PoolClient, host: string): Promise<boolean> {
  const { rows } = await client.query<{ lives: boolean }>(
    `select exists (select from workers where workspace_host = $1 and ended_at is null
       and renewed_at > clock_timestamp() - $2 * interval '1 ms') as lives`,
    [host, leaseMs],
  );
  return rows[0]?.lives ?? false;
}
