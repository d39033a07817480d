import type { Pool } from 'pg';
import { type Finding, verifyLedger } from '../../src/ledger/verify/verify-ledger';

/** What is wrong with a ledger; empty where it is sound. */
export function brokenInvariants(pool: Pick<Pool, 'query'>): Promise<readonly Finding[]> {
  return verifyLedger(pool);
}
