import { z } from 'zod';
import type { SignedTokensConfig } from '../gateway/auth/signed-tokens';
import { closedObject } from '../located-yaml/closed-object';
import { InputError } from '../located-yaml/input-error';

/** Where the gateway listens, and whom it lets in. */
export interface GatewayConfig {
  /** Undefined: 127.0.0.1:8787, or another port where `up` finds that one taken. */
  readonly address?: { readonly host: string; readonly port: number };
  /** Names, without a port, that it is called beside those of this machine. */
  readonly hosts: readonly string[];
  readonly requestsPerMinute: number;
  readonly oidc?: SignedTokensConfig;
}

export const usualAddress = { host: '127.0.0.1', port: 8787 } as const;
/** Ten a second, by each principal: a console asks for a page every other second. */
const usualRequestsPerMinute = 600;

const addressPattern = /^(\[[0-9a-f:]+\]|[^:[\]\s]+):(\d{1,5})$/i;
const hostPattern = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/;

const claim = (usual: string) =>
  z.string().min(1).default(usual).describe(`The claim that says it; "${usual}" where left out.`);
const oidc = closedObject({
  issuer: z.url().describe('As the tokens name it; its discovery document says where its keys are.'),
  audience: z.string().min(1).describe('What tokens for this gateway are made out to.'),
  keysUrl: z.url().optional().describe('Where its keys are, where it has no discovery document.'),
  claims: closedObject({
    tenant: claim('tenant'),
    principal: claim('sub'),
    roles: claim('roles'),
  }).optional(),
});

export const gatewaySchema = closedObject({
  address: z
    .string()
    .regex(addressPattern, 'an address is HOST:PORT')
    .optional()
    .describe(
      'Where it listens; HOLDFAST_GATEWAY wins. It speaks plain HTTP: put a proxy with TLS before any other than this machine.',
    ),
  hosts: z
    .array(z.string().regex(hostPattern, 'a host is a name in small letters, without a port'))
    .optional()
    .describe('Names that it is called beside localhost; requests to others are refused.'),
  requestsPerMinute: z
    .int()
    .positive()
    .optional()
    .describe(`By each principal; ${usualRequestsPerMinute} where left out.`),
  oidc: oidc.optional().describe('Tokens of an identity provider (OpenID Connect), beside those of `holdfast token`.'),
})
  .optional()
  .describe('The HTTP side.');

/** Throws InputError where HOLDFAST_GATEWAY is no address. */
export function gatewayConfig(written: z.output<typeof gatewaySchema>, named: string | undefined): GatewayConfig {
  const { address: inFile, hosts = [], requestsPerMinute = usualRequestsPerMinute, oidc: signed } = written ?? {};
  const text = named || inFile;
  const address = text === undefined ? undefined : addressOf(text);
  if (text !== undefined && address === undefined)
    throw new InputError([{ message: `HOLDFAST_GATEWAY is "${text}"; it is HOST:PORT, as 127.0.0.1:8787` }]);
  const { tenant = 'tenant', principal = 'sub', roles = 'roles' } = signed?.claims ?? {};
  return {
    ...(address !== undefined && { address }),
    hosts,
    requestsPerMinute,
    ...(signed !== undefined && {
      oidc: {
        issuer: signed.issuer,
        audience: signed.audience,
        ...(signed.keysUrl !== undefined && { keysUrl: signed.keysUrl }),
        claims: { tenant, principal, roles },
      },
    }),
  };
}

function addressOf(text: string): GatewayConfig['address'] {
  const [, host, port] = addressPattern.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) return undefined;
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}
