import type { Pool } from 'pg';
import { defaultLimits } from '../../../src/domain/budget/account';
import type { Contract } from '../../../src/domain/contract/contract';
import { openLedgerPool } from '../../../src/ledger/database';
import { type StartRequest, startAttempt } from '../../../src/ledger/start-attempt';
import type { AttemptRef } from '../../../src/protocol/ids';
import { ledgerDatabase } from '../../support/ledger-database';

/** A migrated database of one's own, as the application's role sees it. */
export async function freshLedger(): Promise<{ pool: Pool; close(): Promise<void> }> {
  const { url, drop } = await ledgerDatabase();
  const pool = openLedgerPool(url);
  return {
    pool,
    close: async () => {
      await pool.end();
      await drop();
    },
  };
}

export const contract: Contract = {
  kind: 'code_change',
  goal: 'Make it pass.',
  constraints: [],
  forbidden: [],
  tools: ['read_file'],
  acceptance: [{ id: 'tests', check: 'command', run: 'npm test' }],
  workspace: { git: '/srv/repo', ref: 'main', setup: 'auto' },
};

export function startRequest(change: Partial<StartRequest> = {}): StartRequest {
  return {
    tenant: 'default',
    task: 'repair',
    contract,
    limits: defaultLimits,
    input: 'Please.',
    snapshot: {
      kind: 'code_change',
      hasWorkspace: true,
      criteria: ['tests'],
      models: [{ name: 'default', quick: true, timeoutMs: 1_000 }],
      flow: 1,
      stepsPerRun: 100,
      searchAttributes: false,
    },
    versions: { holdfast: '0.0.0' },
    ...change,
  };
}

export async function started(pool: Pool, change: Partial<StartRequest> = {}): Promise<AttemptRef> {
  return (await startAttempt(pool, startRequest(change))).attempt.ref;
}

/** Puts an attempt where a test wants it, as its last transaction would. */
export async function end(pool: Pool, ref: AttemptRef, state: string, reason: string): Promise<void> {
  await pool.query('update attempts set state = $2, reason = $3, ended_at = clock_timestamp() where key = $1', [
    ref.key,
    state,
    reason,
  ]);
}
