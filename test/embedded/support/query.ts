import { Client } from 'pg';

/** One statement on a connection of its own. */
export async function query(url: string, sql: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {}); // the query's own rejection says it
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
