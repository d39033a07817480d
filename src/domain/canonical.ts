import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import canonicalize from 'canonicalize';

/**
 * SHA-256 over the canonical JSON (RFC 8785) of a value, as 64 hex digits: the same for the same data, whatever the
 * order of its keys. A key whose value is undefined counts as absent. Throws for numbers that JSON does not have.
 */
export function canonicalHash(value: object): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalize(value) ?? 'null')));
}
