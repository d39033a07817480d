import { canonicalHash } from '../canonical';
import type { EffectClass } from '../effect/effect';

/** Everything that an approval is about; another value of any of them is another request (R5.3). */
export interface Bound {
  readonly tenant: string;
  readonly attempt: string;
  readonly action: string;
  readonly tool: string;
  /** Hash over the tool's name, schema, description and effect. */
  readonly toolVersion: string;
  readonly effect: 'none' | EffectClass;
  /** SHA-256 of the canonical arguments. */
  readonly argsHash: string;
  readonly target: string;
  readonly contractVersion: number;
  readonly policy: string;
  /** Ms since the epoch, by the workflow's clock. */
  readonly expiresAt: number;
}

/** 64 hex digits. */
export const bindingOf = (bound: Bound): string => canonicalHash(bound);
