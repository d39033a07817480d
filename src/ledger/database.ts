import { Pool, types } from 'pg';

/** Owner of no table; what the application runs as. It may add to history and may not change it. */
export const applicationRole = 'holdfast_app';
/** What the gateway takes on for one tenant: it sees and writes rows of that tenant alone (migration 0008). */
export const gatewayRole = 'holdfast_gateway';
export const schema = 'holdfast';
const int8Oid = 20;
/** Long enough for a database that is just starting, short enough that a person sees the error. */
export const connectTimeoutMs = 5_000;
/**
 * A server that is gone without a word leaves a connection that answers nothing. Statements take milliseconds, and a row lock
 * is held for no longer than a transaction.
 */
const queryTimeoutMs = 20_000;
/**
 * A process that stopped, or a host that is gone without a word, in the middle of a transaction would hold its row locks for
 * ever. Longer than a lease: whoever stands still for so long has been taken for dead.
 */
const idleTransactionMs = 5_000;
/** One connection for each activity that can be inside a transaction at once; they wait on the disk, not on CPU. */
const poolMax = 20;

/** Opens a pool as the application's role, with the ledger's schema as search path. Keys (int8) come as numbers. */
export function openLedgerPool(url: string, applicationName = 'holdfast'): Pool {
  const pool = new Pool({
    connectionString: url,
    max: poolMax,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: applicationName,
    keepAlive: true,
    query_timeout: queryTimeoutMs,
    // Statements that belong together are sent together; the server answers them in order.
    pipeline: true,
    // Every statement of a step goes by key, so its plan is the same for all values; making it anew costs more than running it.
    options: `-c role=${applicationRole} -c search_path=${schema} -c plan_cache_mode=force_generic_plan -c idle_in_transaction_session_timeout=${idleTransactionMs}`,
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === int8Oid ? Number : types.getTypeParser(oid, format as 'text')) as typeof types.getTypeParser,
    },
  });
  // A lost idle connection is not an event here: the next query opens another, or fails with a clear cause.
  pool.on('error', () => {});
  // A connection that is lost while somebody holds it fails their statement, and says so again to nobody: without a
  // listener that ends the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
