import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import { z } from 'zod';
import { principalPattern } from '../../domain/policy/names';
import { namePattern } from '../../protocol/ids';
import { type Caller, roles } from '../../protocol/roles';

/** Where tokens of an identity provider come from, and which of their claims say who comes (OpenID Connect). */
export interface SignedTokensConfig {
  readonly issuer: string;
  readonly audience: string;
  /** Where the keys are; asked of the issuer's discovery document where left out. */
  readonly keysUrl?: string;
  readonly claims: { readonly tenant: string; readonly principal: string; readonly roles: string };
}

/** Of one that no key of the issuer's can have made with anything else. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** Clocks of two machines differ by so much and no more. */
const clockSkewSeconds = 30;
/** An identity provider that answers at all does so within this. */
const discoveryTimeoutMs = 5_000;

const discovery = z.object({ issuer: z.string(), jwks_uri: z.url() });

/** Who a signed token says comes; undefined where it is not one of the issuer's that is valid now. Rejects where the issuer cannot be asked. */
export function signedTokens(config: SignedTokensConfig): (token: string) => Promise<Caller | undefined> {
  let keys: Promise<ReturnType<typeof createRemoteJWKSet>> | undefined;
  const keySet = () => {
    keys ??= keysUrlOf(config).then((url) => createRemoteJWKSet(url));
    keys.catch(() => {
      keys = undefined;
    });
    return keys;
  };
  return async (token) => {
    if (token.split('.').length !== 3) return undefined;
    const { issuer, audience } = config;
    try {
      const { payload } = await jwtVerify(token, await keySet(), {
        issuer,
        audience,
        algorithms,
        clockTolerance: clockSkewSeconds,
        requiredClaims: ['exp'],
      });
      return callerIn(payload, config.claims);
    } catch (error) {
      // What the token's own faults are called; the issuer's absence is none of them.
      if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)) return undefined;
      throw error;
    }
  };
}

async function keysUrlOf({ issuer, keysUrl }: SignedTokensConfig): Promise<URL> {
  if (keysUrl !== undefined) return new URL(keysUrl);
  const response = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
    redirect: 'error',
    signal: AbortSignal.timeout(discoveryTimeoutMs),
  });
  if (!response.ok) throw new Error(`${issuer} answered its discovery document with ${response.status}`);
  const found = discovery.parse(await response.json());
  if (found.issuer !== issuer) throw new Error(`The discovery document of ${issuer} is that of ${found.issuer}`);
  return new URL(found.jwks_uri);
}

function callerIn(payload: JWTPayload, claims: SignedTokensConfig['claims']): Caller | undefined {
  const { [claims.tenant]: tenant, [claims.principal]: principal, [claims.roles]: said } = payload;
  if (typeof tenant !== 'string' || !namePattern.test(tenant)) return undefined;
  if (typeof principal !== 'string' || !principalPattern.test(principal)) return undefined;
  const given = Array.isArray(said) ? said : typeof said === 'string' ? said.split(' ') : [];
  return {
    tenant,
    principal,
    roles: roles.filter((role) => given.includes(role)),
    expiresAt: payload.exp === undefined ? null : new Date(payload.exp * 1_000).toISOString(),
  };
}
