import { Client } from 'pg';

/** Runs something on one connection to the database at the address; what the session holds is free afterwards. */
export async function administer<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {}); // the query's own rejection says it
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
