import type { BundleRow } from '../../../src/activities/ledger-port';
import { leaseMs } from '../../../src/protocol/lease';
import type { Tables } from './tables';

export const bundleKey = (tenant: string, snapshot: string) => `${tenant} ${snapshot}`;

/** The chain that ends in the snapshot, oldest first. */
export function bundlesOf(tables: Tables, tenant: string, snapshot: string): readonly BundleRow[] {
  const row = tables.bundles.get(bundleKey(tenant, snapshot));
  if (!row) return [];
  return row.thinOn === null ? [row] : [...bundlesOf(tables, tenant, row.thinOn), row];
}

export const hostLives = (tables: Tables, host: string, nowMs: number): boolean =>
  [...tables.workers.values()].some(
    ({ workspaceHost, ended, renewedAt }) => workspaceHost === host && !ended && renewedAt > nowMs - leaseMs,
  );
