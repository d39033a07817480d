import { Client } from 'pg';
import type { Check } from './check';
import { defineCheck } from './define-check';

/** A database that is reachable connects well within this, also across regions. */
const connectTimeoutMs = 5_000;
const minServerVersion = 140_000;

export function checkDatabase(url: string): Check {
  const { host, pathname } = new URL(url);
  const place = `${host}${pathname}`;
  const fix = `PostgreSQL at ${place} does not answer: start it, or correct DATABASE_URL, or unset it and run \`holdfast up\`.`;
  return defineCheck('PostgreSQL', true, fix, async () => {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
    client.on('error', () => {}); // the query's own rejection says it
    try {
      await client.connect();
      const { rows } = await client.query<{ number: number; version: string; durable: string }>(
        `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
                current_setting('synchronous_commit') as durable`,
      );
      const [row] = rows;
      const found = `PostgreSQL ${row?.version} at ${place}`;
      if ((row?.number ?? 0) < minServerVersion)
        return { ok: false, found, fix: 'Holdfast needs PostgreSQL 14 or newer.' };
      if (row?.durable === 'off') {
        return {
          ok: false,
          found: `${found}, synchronous_commit is off`,
          fix: 'Switch synchronous_commit on: commits are lost in a crash.',
        };
      }
      return { ok: true, found };
    } finally {
      await client.end().catch(() => {});
    }
  });
}
