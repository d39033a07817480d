import { canonicalHash } from '../canonical';
import type { Contract } from './contract';

/** What makes two versions of a contract the same one: 64 hex digits. */
export function contractHash(contract: Contract): string {
  return canonicalHash(contract);
}
