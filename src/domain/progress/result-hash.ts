import { canonicalHash } from '../canonical';
import { normaliseResult } from './normalise-result';

/** Two calls of one tool that answered the same have the same, whenever and however fast they did: 64 hex digits. */
export function resultHash(tool: string, text: string): string {
  return canonicalHash({ tool, result: normaliseResult(text) });
}
