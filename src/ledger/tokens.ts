import { createHash, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { type Caller, type Role, roles } from '../protocol/roles';

/** A token as it is listed: never with what opens the door. Times are ISO 8601, UTC. */
export interface ListedToken {
  readonly id: string;
  readonly principal: string;
  readonly roles: readonly Role[];
  readonly madeBy: string;
  readonly at: string;
  readonly expiresAt: string;
  readonly revokedAt: string | null;
  readonly revokedBy: string | null;
}

export interface NewToken {
  readonly tenant: string;
  readonly principal: string;
  readonly roles: readonly Role[];
  readonly madeBy: string;
  readonly expiresAt: Date;
}

/** As many as no search finds, and too many to guess. */
const secretBytes = 32;
/** Names a token in lists and where it is revoked; nobody comes in by it. */
const idBytes = 6;
/** So that a token is known as one where it is found: in a log, or in a file that was to be published. */
const prefix = 'hft_';

const hashOf = (token: string) => createHash('sha256').update(token).digest();

/** Makes a token; what is returned with it is shown once and kept nowhere, for the ledger has its hash alone. */
export async function makeToken(pool: Pool, token: NewToken): Promise<{ readonly id: string; readonly token: string }> {
  const id = randomBytes(idBytes).toString('hex');
  const text = `${prefix}${randomBytes(secretBytes).toString('base64url')}`;
  await pool.query(
    `insert into tokens (id, hash, tenant, principal, roles, made_by, expires_at) values ($1, $2, $3, $4, $5, $6, $7)`,
    [id, hashOf(text), token.tenant, token.principal, token.roles, token.madeBy, token.expiresAt],
  );
  return { id, token: text };
}

/** Who comes with this token; undefined where it is unknown, expired or revoked. */
export async function callerOf(pool: Pool, token: string): Promise<Caller | undefined> {
  if (!token.startsWith(prefix)) return undefined;
  const { rows } = await pool.query<{ tenant: string; principal: string; roles: string[]; expires_at: Date }>({
    name: 'caller-of',
    text: `select tenant, principal, roles, expires_at from tokens
      where hash = $1 and revoked_at is null and expires_at > clock_timestamp()`,
    values: [hashOf(token)],
  });
  const [row] = rows;
  return (
    row && {
      tenant: row.tenant,
      principal: row.principal,
      roles: roles.filter((role) => row.roles.includes(role)),
      expiresAt: row.expires_at.toISOString(),
    }
  );
}

/** Of a tenant, the newest first. */
export async function listTokens(pool: Pool, tenant: string): Promise<readonly ListedToken[]> {
  const { rows } = await pool.query<{
    id: string;
    principal: string;
    roles: Role[];
    made_by: string;
    at: Date;
    expires_at: Date;
    revoked_at: Date | null;
    revoked_by: string | null;
  }>(
    `select id, principal, roles, made_by, at, expires_at, revoked_at, revoked_by from tokens
     where tenant = $1 order by at desc, id`,
    [tenant],
  );
  return rows.map((row) => ({
    id: row.id,
    principal: row.principal,
    roles: row.roles,
    madeBy: row.made_by,
    at: row.at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    revokedAt: row.revoked_at?.toISOString() ?? null,
    revokedBy: row.revoked_by,
  }));
}

/** Nobody comes in by it from the next request on. False where the tenant has no such token that could be revoked. */
export async function revokeToken(pool: Pool, tenant: string, id: string, by: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update tokens set revoked_at = clock_timestamp(), revoked_by = $3
     where tenant = $1 and id = $2 and revoked_at is null`,
    [tenant, id, by],
  );
  return rowCount === 1;
}
