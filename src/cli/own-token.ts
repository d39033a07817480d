import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openLedgerPool } from '../ledger/database';
import { callerOf, makeToken } from '../ledger/tokens';
import { roles } from '../protocol/roles';
import { loginName } from './login-name';

/** An installation that is used at all is started anew within this; each `up` makes another where less than half is left, ms. */
const validForMs = 365 * 24 * 60 * 60 * 1_000;

/** The token of whoever runs `up` on this machine, for all that can be done; kept in the data folder, for them alone to read. */
export async function ownToken(dataDir: string, databaseUrl: string): Promise<string> {
  const pool = openLedgerPool(databaseUrl, 'holdfast up');
  try {
    const path = join(dataDir, 'gateway-token');
    const kept = (await readFile(path, 'utf8').catch(() => '')).trim();
    const caller = kept === '' ? undefined : await callerOf(pool, kept);
    if (caller?.expiresAt && Date.parse(caller.expiresAt) > Date.now() + validForMs / 2) return kept;
    const principal = loginName();
    const expiresAt = new Date(Date.now() + validForMs);
    const { token } = await makeToken(pool, { tenant: 'default', principal, roles, madeBy: principal, expiresAt });
    await mkdir(dataDir, { recursive: true });
    await writeFile(path, `${token}\n`, { mode: 0o600 });
    return token;
  } finally {
    await pool.end();
  }
}
