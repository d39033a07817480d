import type { Pool, PoolClient } from 'pg';
import { errorCode } from '../domain/failure/error-code';

/** SQLSTATE of the one of several transactions that waited for each other which the database has ended. */
const deadlock = '40P01';
/** Each deadlock is another transaction's success; more in a row is a fault to be seen. */
const deadlocksMax = 5;

/**
 * Runs `work` in a transaction of its own, and again in another where it and others waited for each other. Rejects with what went
 * wrong, the driver's errors too; nothing is stored then.
 */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  for (let deadlocks = 0; ; deadlocks += 1) {
    try {
      return await once(pool, work);
    } catch (error) {
      if (deadlocks >= deadlocksMax || errorCode(error) !== deadlock) throw error;
    }
  }
}

async function once<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const outcome = await work(client);
    await client.query('commit');
    client.release();
    return outcome;
  } catch (error) {
    // The connection is dropped with whatever the transaction still holds.
    client.release(true);
    throw error;
  }
}
