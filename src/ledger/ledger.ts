import type { Pool, PoolClient } from 'pg';
import type {
  ActionRow,
  AttemptTx,
  BundleRow,
  EvidenceRow,
  LedgerPort,
  TransactionScope,
} from '../activities/ledger-port';
import type { Contract } from '../domain/contract/contract';
import { errorCode } from '../domain/failure/error-code';
import type { AttemptRef } from '../protocol/ids';
import { ActionCache } from './action-cache';
import { AttemptMemory } from './attempt-memory';
import { type Kept, PgAttemptTx } from './attempt-tx';
import { bundlesQuery } from './bundles';
import { contractQuery } from './contracts';
import { readAttempt } from './facts';
import { createRecordReader } from './record';
import { together } from './together';
import { ledgerError } from './unavailable';
import { createViewReader, type Query } from './view';

/** Contracts never change, so a worker keeps the few it works under. */
const contractsKeptMax = 200;

/** The ledger on PostgreSQL. Takes no ownership of the pool. */
export function createLedger(pool: Pool): LedgerPort {
  const contracts = new Map<string, Contract>();
  const kept = { actions: new ActionCache(), memory: new AttemptMemory() };
  const named: Query = (text, values, name) => query(pool, text, values, name);
  return {
    transact: (ref, scope, work) => transact(pool, kept, ref, scope, work),

    async attempt(ref) {
      try {
        return await readAttempt(pool, ref.key);
      } catch (error) {
        throw ledgerError(error);
      }
    },

    async contract(ref, version) {
      const name = `${ref.key} ${version ?? ''}`;
      const known = contracts.get(name);
      if (known) return known;
      const [row] = await query<{ body: Contract }>(pool, contractQuery, [ref.key, version ?? null]);
      if (!row) throw new Error(`Attempt ${ref.id} has no contract ${version ?? ''} in the ledger.`);
      const contract = row.body;
      if (contracts.size >= contractsKeptMax) contracts.clear();
      contracts.set(name, contract);
      return contract;
    },

    async action(ref, step, index) {
      const proposedHere = kept.actions.find(ref.key, step, index);
      if (proposedHere) return proposedHere;
      const rows = await query<ActionRow>(
        pool,
        `select step, index, call_id as "callId", tool, args, args_hash as "argsHash"
         from actions a where attempt = $1 and step = $2 and index = $3`,
        [ref.key, step, index],
        'action',
      );
      return rows[0];
    },

    bundles: (tenant, snapshot) => query<BundleRow>(pool, bundlesQuery, [tenant, snapshot]),

    view: createViewReader(named),
    ...createRecordReader(named),

    evidence: (ref, candidate) =>
      query<EvidenceRow>(pool, 'select criterion, met, body from evidence where attempt = $1 and candidate = $2', [
        ref.key,
        candidate,
      ]),
  };
}

/** Holds off other moves and messages, and neither readers nor rows that refer to it. */
const lockQuery = 'select from attempts where key = $1 for no key update';

/** Each conflict is another transaction's success, and few ever write one row; more in a row is a fault to be seen. */
const conflictsMax = 5;
/** SQLSTATE of a row that changed after it was read (Batch), and of a deadlock. */
const conflicts = new Set(['40001', '40P01']);

async function transact<T>(
  pool: Pool,
  kept: Kept,
  ref: AttemptRef,
  scope: TransactionScope,
  work: (tx: AttemptTx) => Promise<T> | T,
): Promise<T> {
  for (let conflict = 0; ; conflict += 1) {
    try {
      return await transactOnce(pool, kept, ref, scope, work);
    } catch (error) {
      if (conflict >= conflictsMax || !conflicts.has(errorCode(error) ?? '')) throw ledgerError(error);
    }
  }
}

/**
 * Two round trips: one to begin, lock and read, one to write and commit. The lock comes in a statement before the read: a
 * statement that waits for a row lock still reads other tables as they were before the wait. A commit behind a write that
 * fails is a rollback, and the write's own error is what is thrown.
 */
async function transactOnce<T>(
  pool: Pool,
  kept: Kept,
  ref: AttemptRef,
  scope: TransactionScope,
  work: (tx: AttemptTx) => Promise<T> | T,
): Promise<T> {
  const { key } = ref;
  let client: PoolClient | undefined;
  try {
    const connection = await pool.connect();
    client = connection;
    const [, , tx] = await together(connection, () =>
      Promise.all([
        connection.query('begin'),
        connection.query({ name: 'lock', text: lockQuery, values: [key] }),
        PgAttemptTx.open(connection, key, scope, kept),
      ]),
    );
    const result = await work(tx);
    await together(connection, () => Promise.all([tx.flush(), connection.query('commit')]));
    client.release();
    tx.remember();
    return result;
  } catch (error) {
    await rollback(client);
    throw error;
  }
}

async function rollback(client: PoolClient | undefined): Promise<void> {
  if (!client) return;
  try {
    await client.query('rollback');
    client.release();
  } catch (error) {
    client.release(error instanceof Error ? error : true);
  }
}

async function query<R extends object>(pool: Pool, text: string, values: unknown[], name?: string): Promise<R[]> {
  try {
    return (await pool.query<R>(name ? { name, text, values } : { text, values })).rows;
  } catch (error) {
    throw ledgerError(error);
  }
}
