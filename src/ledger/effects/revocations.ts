import type { Pool } from 'pg';
import type { Revocation } from '../../activities/ledger-port';
import { textParam } from '../json';
import { ledgerError } from '../unavailable';

export interface ListedRevocation extends Revocation {
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** Revokes for a tenant from now on; nothing takes it back (R4.9). Throws LedgerUnavailableError. */
export async function revoke(pool: Pool, tenant: string, revocation: Revocation): Promise<void> {
  const { kind, value, reason, by } = revocation;
  try {
    await pool.query('insert into revocations (tenant, kind, value, reason, by_name) values ($1, $2, $3, $4, $5)', [
      tenant,
      kind,
      ...[value, reason, by].map(textParam),
    ]);
  } catch (error) {
    throw ledgerError(error);
  }
}

/** Revocations of a tenant, oldest first. Throws LedgerUnavailableError. */
export async function listRevocations(pool: Pool, tenant: string): Promise<readonly ListedRevocation[]> {
  try {
    const { rows } = await pool.query<Revocation & { at: Date }>(
      'select kind, value, reason, by_name as by, at from revocations where tenant = $1 order by id',
      [tenant],
    );
    return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
  } catch (error) {
    throw ledgerError(error);
  }
}
