import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** What is compared on a repeat of a move (M1): SHA-256 over the canonical JSON of its arguments, 64 hex digits. */
export function callHash(args: object): string {
  return createHash('sha256')
    .update(canonicalize(args) ?? '')
    .digest('hex');
}
