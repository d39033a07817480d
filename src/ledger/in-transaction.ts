import type { Pool, PoolClient } from 'pg';

/** Runs `work` in a transaction of its own. Rejects with what went wrong, the driver's errors too; nothing is stored then. */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
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
