import { canonicalHash } from '../../domain/canonical';
import type { Rule } from './rule';

/** Enough to tell every policy that an installation ever has from the others, and short to read. */
const versionDigits = 16;

/**
 * The same for rules that decide the same in the same order: files, comments, spacing, the order of keys and defaults that
 * are written out make no difference.
 */
export function policyVersion(rules: readonly Rule[]): string {
  const canonical = rules.map(({ id, condition, except, decision }) => ({
    id,
    when: condition?.canonical ?? null,
    except: [...new Set(except)].sort(),
    decision,
  }));
  return canonicalHash(canonical).slice(0, versionDigits);
}
