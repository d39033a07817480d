import type { Effect } from './effect';

/**
 * What a claim comes to, decided from rows alone (E1, E2, E5, E7).
 *
 *   I1  A row that was never SENT took no effect: its action may go on, and another action may take the key from it where
 *       nobody works on it.
 *   I2  After SENT only the effect class, or an authority, permits another send, and only to the action that sent it.
 *   I3  A target has one write at a time, from its claim until the truth about it is known: what is sent again cannot
 *       overtake, or be overtaken by, another. Of two that are open all the same, the one that was sent first goes first.
 */
export type Claim =
  /** Insert the generation; `release` is a row of another action that was never sent and that nobody works on. */
  | { readonly kind: 'take'; readonly generation: number; readonly release?: Effect }
  /** This action's own row, never sent: raise the fence and go on. */
  | { readonly kind: 'retake'; readonly effect: Effect }
  /** Sent before under the same key, and permitted to be sent again (E5, E6). */
  | { readonly kind: 'resend'; readonly effect: Effect }
  /** This action's own effect, of which nobody can tell here what became of it. */
  | { readonly kind: 'unknown'; readonly effect: Effect }
  /** Settled: the outcome is the action's observation, whoever's action sent it. */
  | { readonly kind: 'known'; readonly effect: Effect }
  /** The key belongs to an operation with other arguments (R4.3). */
  | { readonly kind: 'conflict'; readonly effect: Effect }
  /** Somebody works on the key: wait for the outcome. */
  | { readonly kind: 'busy'; readonly effect: Effect }
  /** The truth about an effect on this target is open (E7). */
  | { readonly kind: 'target_busy'; readonly effect: Effect };

export interface Scene {
  /** Newest generation that this action owned. */
  readonly own: Effect | undefined;
  /** Newest generation of the key, whoever's. */
  readonly newest: Effect | undefined;
  /** The first sent effect of another key on the target that is UNKNOWN, SENT, or CLAIMED by an owner that is alive. */
  readonly blocker: Effect | undefined;
}

export function decideClaim({ own, newest, blocker }: Scene, argsHash: string): Claim {
  const mine = own && !(own.phase === 'NOT_COMMITTED' && own.sentAt === null) ? onOwn(own) : onOthers(newest, argsHash);
  if (!blocker || !isBlocked(mine, blocker)) return mine;
  return { kind: blocker.phase !== 'UNKNOWN' && blocker.ownerLive ? 'busy' : 'target_busy', effect: blocker };
}

/** I3 */
function isBlocked(claim: Claim, blocker: Effect): boolean {
  switch (claim.kind) {
    case 'take':
    case 'retake':
      return true;
    case 'resend':
      return wasSentBefore(blocker, claim.effect);
    default:
      return false;
  }
}

function wasSentBefore(a: Effect, b: Effect): boolean {
  const [aMs, bMs] = [a, b].map(({ sentAt }) => sentAt?.getTime() ?? Number.POSITIVE_INFINITY) as [number, number];
  return aMs < bMs || (aMs === bMs && a.key < b.key);
}

function onOwn(effect: Effect): Claim {
  switch (effect.phase) {
    case 'COMMITTED':
    case 'COMPENSATED':
    case 'COMPENSATION_FAILED':
    case 'NOT_COMMITTED':
      return { kind: 'known', effect };
    case 'CLAIMED':
      return effect.ownerLive ? { kind: 'busy', effect } : { kind: 'retake', effect }; // I1
    case 'SENT':
      return effect.ownerLive ? { kind: 'busy', effect } : onRecovery(effect);
    case 'UNKNOWN':
      return onRecovery(effect);
  }
}

/** I2: who may send again what was sent and not answered. */
function onRecovery(effect: Effect): Claim {
  switch (effect.effectClass) {
    case 'idempotent':
    case 'deduplicated':
      return { kind: 'resend', effect };
    case 'probed':
      return effect.resend ? { kind: 'resend', effect } : { kind: 'unknown', effect };
    case 'unsafe':
      return { kind: 'unknown', effect };
  }
}

function onOthers(effect: Effect | undefined, argsHash: string): Claim {
  if (!effect) return { kind: 'take', generation: 1 };
  switch (effect.phase) {
    case 'NOT_COMMITTED':
      return { kind: 'take', generation: effect.generation + 1 };
    case 'CLAIMED':
      return effect.ownerLive
        ? { kind: 'busy', effect }
        : { kind: 'take', generation: effect.generation + 1, release: effect }; // I1
    case 'SENT':
      return effect.ownerLive ? { kind: 'busy', effect } : { kind: 'target_busy', effect };
    case 'UNKNOWN':
      return { kind: 'target_busy', effect };
    case 'COMMITTED':
    case 'COMPENSATED':
    case 'COMPENSATION_FAILED':
      return effect.argsHash === argsHash ? { kind: 'known', effect } : { kind: 'conflict', effect };
  }
}
