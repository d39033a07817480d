import type { Failure } from './failure';

/**
 * The failure behind the code of a connection's error: of the system (`ECONNRESET`) or of the HTTP client
 * (`UND_ERR_…`). Undefined for a code that says nothing about the network.
 */
export function classifyNetworkCode(code: string, caller: 'model' | 'tool'): Failure | undefined {
  const name = passing.get(code);
  if (name !== undefined) return { class: caller === 'model' ? 'model_transient' : 'tool_transient', code: name };
  if (certificates.has(code)) return { class: 'unrecoverable', code: 'TLS_REFUSED' };
  return undefined;
}

/** A name that does not resolve passes too: resolvers fail for a while more often than names are wrong. */
const passing: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ECONNREFUSED: 'CONNECTION_REFUSED',
    ECONNRESET: 'CONNECTION_LOST',
    ECONNABORTED: 'CONNECTION_LOST',
    EPIPE: 'CONNECTION_LOST',
    UND_ERR_SOCKET: 'CONNECTION_LOST',
    ETIMEDOUT: 'CONNECTION_TIMEOUT',
    UND_ERR_CONNECT_TIMEOUT: 'CONNECTION_TIMEOUT',
    UND_ERR_HEADERS_TIMEOUT: 'CONNECTION_TIMEOUT',
    UND_ERR_BODY_TIMEOUT: 'CONNECTION_TIMEOUT',
    EAI_AGAIN: 'NAME_NOT_RESOLVED',
    ENOTFOUND: 'NAME_NOT_RESOLVED',
    EHOSTUNREACH: 'HOST_UNREACHABLE',
    ENETUNREACH: 'HOST_UNREACHABLE',
    ENETDOWN: 'HOST_UNREACHABLE',
  }),
);

const certificates: ReadonlySet<string> = new Set([
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
