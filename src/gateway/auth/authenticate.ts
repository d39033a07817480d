import type { Pool } from 'pg';
import { callerOf } from '../../ledger/tokens';
import type { Caller } from '../../protocol/roles';
import { Problem } from '../problem';
import { type SignedTokensConfig, signedTokens } from './signed-tokens';

/** Who asks, by the `Authorization` header. Throws Problem `unauthenticated`; rejects as the database does. */
export type Authenticate = (authorization: string | undefined) => Promise<Caller>;

/** Bearer tokens of the ledger and, where configured, those that an identity provider signed. */
export function authenticator(pool: Pool, signed: SignedTokensConfig | undefined): Authenticate {
  const callerOfSigned = signed && signedTokens(signed);
  return async (authorization) => {
    const [, token] = /^bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
    if (token === undefined) throw unauthenticated('The request has no bearer token.');
    const caller = (await callerOf(pool, token)) ?? (await callerOfSigned?.(token));
    if (caller === undefined) throw unauthenticated('The token is unknown, expired or revoked.');
    if (caller.roles.length === 0) throw new Problem('forbidden', `The token of ${caller.principal} has no role here.`);
    return caller;
  };
}

const unauthenticated = (message: string) =>
  new Problem('unauthenticated', message, {
    next: 'Send `Authorization: Bearer TOKEN`; `holdfast token create --help` makes one.',
  });
