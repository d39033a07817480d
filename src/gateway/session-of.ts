import { tenantPool } from '../ledger/tenant-pool';
import type { Caller } from '../protocol/roles';
import type { Session } from '../requests/session';
import type { Gateway } from './gateway';

/** What a request of this caller works with: their tenant, and them as who sends it. `requestId`: of one that may be sent again. */
export function sessionOf(
  { config, pool, temporal }: Gateway,
  { tenant, principal, roles }: Caller,
  requestId: string | undefined,
): Session {
  return {
    config,
    tenant,
    pool: tenantPool(pool, tenant),
    sender: { door: 'gateway', name: principal, roles, ...(requestId !== undefined && { requestId }) },
    temporal: temporal.use,
  };
}
