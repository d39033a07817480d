import type { EffectClass } from '../effect/effect';
import type { ApprovalTerms, Decision } from './policy';

/** Stands for a rule where none matched; no rule may be called so. */
export const noMatchRule = 'no-match';

/** Whoever could answer has slept once and worked once; after that the call is of another day. */
export const defaultApprovalExpiryMs = 24 * 3_600_000;

/** Terms of a request that no rule has terms for: anybody who may answer at all, once. */
const anybody: ApprovalTerms = {
  approvers: [],
  approvals: 1,
  expiresInMs: defaultApprovalExpiryMs,
  channel: 'asserted',
};

/** What holds where no rule speaks of a call: reads are allowed, writes ask (R5.1). */
export function noMatch(effect: 'none' | EffectClass): Decision {
  return effect === 'none'
    ? { rule: noMatchRule, kind: 'allow' }
    : { rule: noMatchRule, kind: 'require_approval', terms: anybody };
}
