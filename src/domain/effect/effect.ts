/** What an action may do outside, by who makes a repeat of it harmless. `none` is for reads, which have no row (E5, R4.6). */
export const effectClasses = ['idempotent', 'deduplicated', 'probed', 'unsafe'] as const;
export type EffectClass = (typeof effectClasses)[number];

/**
 * Where an effect stands. CLAIMED took no effect; after SENT only an outcome, a probe, evidence or a person says what
 * happened. NOT_COMMITTED closes the generation (E1).
 */
export const effectPhases = [
  'CLAIMED',
  'SENT',
  'COMMITTED',
  'NOT_COMMITTED',
  'UNKNOWN',
  'COMPENSATED',
  'COMPENSATION_FAILED',
] as const;
export type EffectPhase = (typeof effectPhases)[number];

/** The truth about it is open: it was sent, and nobody has said yet what became of it. */
export const openPhases: readonly EffectPhase[] = ['SENT', 'UNKNOWN'];
export const isOpen = ({ phase }: { readonly phase: EffectPhase }): boolean => openPhases.includes(phase);

/** Its target and its key are held: nobody has settled it. */
export const unsettledPhases: readonly EffectPhase[] = ['CLAIMED', ...openPhases];

/** It took effect, and nothing has undone it. */
export const standingPhases: readonly EffectPhase[] = ['COMMITTED', 'COMPENSATION_FAILED'];
export const stands = ({ phase }: { readonly phase: EffectPhase }): boolean => standingPhases.includes(phase);

/** Who found out what became of an effect. `runtime`: it was never sent, so nobody had to be asked. */
export type SettledBy = 'send' | 'late' | 'probe' | 'person' | 'runtime';

/** One generation of an idempotency key (E1). `key` is without tenant and generation: `<tool>/<business key>`. */
export interface EffectRef {
  readonly key: string;
  readonly generation: number;
}

/** What the other side is given: `<tenant>/<tool>/<business key>/g<generation>`; the same for every try of one action. */
export const idempotencyKey = (tenant: string, { key, generation }: EffectRef) => `${tenant}/${key}/g${generation}`;

/** A row of the effect ledger (R4.2), as one transaction sees it. */
export interface Effect extends EffectRef {
  /** The action that owns this generation. */
  readonly attempt: number;
  readonly attemptId: string;
  readonly step: number;
  readonly index: number;
  readonly tool: string;
  readonly effectClass: EffectClass;
  readonly target: string;
  /** SHA-256 over the operation's arguments, 64 hex digits (E1). */
  readonly argsHash: string;
  readonly phase: EffectPhase;
  /** Raised by each claim; who marks SENT or writes an outcome must hold it (E2). */
  readonly fence: number;
  /** The execution that owns it, and whether that one and its worker's lease are alive (M9). */
  readonly owner: string;
  readonly ownerLive: boolean;
  /** Some try of it was SENT and not proven otherwise. */
  readonly sentAt: Date | null;
  /** An authority said that what was sent can take no effect any more, so a `probed` write may be sent again (E6). */
  readonly resend: boolean;
  /** Ordinal of the approval that the generation uses (E8). */
  readonly approval: number | null;
  readonly committedAt: Date | null;
  readonly downstreamId: string | null;
  readonly settledBy: SettledBy | null;
  /** What the tool, the probe or a person said of the outcome; the text that the model is shown where there is one. */
  readonly outcome: string | null;
  readonly authorization: EffectAuthorization;
}

export interface EffectAuthorization {
  readonly rule: string;
  readonly policy: string;
}
