import type { Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { applicationRole, gatewayRole } from './database';

/**
 * A pool for work in the name of one tenant: whatever is asked through it reads and writes rows of that tenant and no other's, also
 * where a query forgets to say whose (row-level security, migration 0008). It takes its connections from `pool` and gives them back.
 *
 *   I1  Nothing is sent on a connection before the database has said that role and tenant are set.
 *   I2  A connection goes back as it came, or is closed: after an error, inside a transaction, and where the way back fails.
 *
 * It guards against a query that is wrong, not against SQL that a stranger writes: that could set another tenant. Rejects as the pool
 * does; ending it is for whoever opened `pool`.
 */
export function tenantPool(pool: Pool, tenant: string): Pool {
  const connect = () => connectFor(pool, tenant);
  const query = async <R extends QueryResultRow>(
    text: string | QueryConfig,
    values?: unknown[],
  ): Promise<QueryResult<R>> => {
    const client = await connect();
    try {
      const result = await client.query<R>(text, values);
      client.release();
      return result;
    } catch (error) {
      client.release(true); // I2, as the pool itself does it
      throw error;
    }
  };
  const own: Readonly<Record<PropertyKey, unknown>> = { connect, query };
  return new Proxy(pool, { get: (target, name) => (Object.hasOwn(own, name) ? own[name] : Reflect.get(target, name)) });
}

const enterQuery = `select set_config('role', $1, false), set_config('holdfast.tenant', $2, false)`;
const leaveQuery = `select set_config('role', $1, false), set_config('holdfast.tenant', '', false)`;

/** As the protocol has it. */
const outsideTransactions = 'I';

async function connectFor(pool: Pool, tenant: string): Promise<PoolClient> {
  const client = await pool.connect();
  const giveBack = client.release.bind(client);
  try {
    await client.query(enterQuery, [gatewayRole, tenant]); // I1
  } catch (error) {
    giveBack(true);
    throw error;
  }
  let given = false;
  client.release = (destroy) => {
    if (given) throw new Error('A connection was given back twice.');
    given = true;
    if (destroy) giveBack(destroy);
    else void leave(client).then((clean) => giveBack(!clean));
  };
  return client;
}

/** I2: whether the connection is as it came. */
async function leave(client: PoolClient): Promise<boolean> {
  try {
    await client.query(leaveQuery, [applicationRole]);
    return client.getTransactionStatus() === outsideTransactions;
  } catch {
    return false;
  }
}
