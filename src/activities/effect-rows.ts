import type { Scene } from '../domain/effect/claim';
import type {
  Effect,
  EffectAuthorization,
  EffectClass,
  EffectPhase,
  EffectRef,
  SettledBy,
} from '../domain/effect/effect';
import type { SentTry } from '../domain/effect/outcome';
import type { RequestState } from '../domain/policy/answer';
import type { ApprovalTerms, Channel } from '../domain/policy/policy';

/** Rows of the effect log, of approvals and of revocations, as a transaction reads and writes them. */

/** What is done, whoever does it: the tool, and SHA-256 over the arguments that make the operation what it is. */
export interface OperationAsk {
  readonly tool: string;
  readonly argsHash: string;
}

export interface SceneAsk {
  /** Without tenant and generation. */
  readonly key: string;
  readonly target: string;
  readonly step: number;
  readonly index: number;
}
export interface EffectScene extends Scene {
  /** Sends of the generation that this action owned. */
  readonly sends: readonly SentTry[];
}
export interface OwnEffect {
  readonly effect: Effect;
  readonly sends: readonly SentTry[];
}
export interface NewEffect extends EffectRef {
  readonly step: number;
  readonly index: number;
  readonly tool: string;
  readonly effectClass: EffectClass;
  readonly target: string;
  readonly argsHash: string;
  readonly phase: 'CLAIMED' | 'SENT';
  readonly owner: string;
  readonly approval: number | null;
  readonly authorization: EffectAuthorization;
}
export interface EffectChange {
  readonly phase?: EffectPhase;
  /** A claim: the fence goes up by one, and the owner is this transaction's move and this execution. */
  readonly owner?: string;
  readonly resend?: boolean;
  readonly approval?: number;
  readonly authorization?: EffectAuthorization;
  /** `true`: now, where it is not set; `null`: the only send was none. */
  readonly sent?: true | null;
  readonly committed?: true;
  readonly downstreamId?: string;
  readonly settledBy?: SettledBy;
  readonly outcome?: string;
}
export interface EffectEvidence {
  readonly kind: 'late' | 'probe' | 'person' | 'conflict';
  readonly fence?: number;
  readonly body: Readonly<Record<string, unknown>>;
}
export type RevocationKind = 'tool' | 'target' | 'principal' | 'approval' | 'credential';
export interface RevocationAsk {
  readonly kind: RevocationKind;
  readonly value: string;
}
export interface Revocation extends RevocationAsk {
  readonly reason: string;
  readonly by: string;
}
export type ApprovalState = RequestState;
export interface ApprovalKey {
  readonly step: number;
  readonly index: number;
  readonly ordinal: number;
}
export interface NewApproval extends ApprovalKey {
  readonly binding: string;
  readonly rule: string;
  readonly policy: string;
  readonly tool: string;
  readonly target: string;
  readonly terms: ApprovalTerms;
  readonly expiresAt: number;
}
export interface Approval extends Omit<NewApproval, 'terms'> {
  readonly approvers: readonly string[];
  readonly needed: number;
  readonly channel: Channel;
  readonly state: ApprovalState;
  readonly answers: readonly ApprovalAnswer[];
}
export interface ApprovalAnswer {
  readonly by: string;
  readonly answer: 'approve' | 'deny';
  readonly channel: Channel;
  readonly reason?: string;
  readonly messageId: string;
}
