import type { TaskKind } from '../contract/contract';
import type { EffectClass } from '../effect/effect';

/** What a rule may ask about (R5.1). Amounts are numbers as the model wrote them. */
export interface PolicyFacts {
  readonly tenant: string;
  /** Who started the attempt. */
  readonly principal: string;
  readonly tool: string;
  readonly effect: 'none' | EffectClass;
  readonly target: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The tool works inside the attempt's workspace. */
  readonly workspace: boolean;
  readonly contract: { readonly kind: TaskKind; readonly task: string; readonly version: number };
  readonly spend: { readonly costUsd: number; readonly toolCalls: number; readonly turns: number };
  /** The attempt has read content that nobody here vouches for. */
  readonly tainted: boolean;
}

/** What may be done under which limit; each names its enforcer (R5.2). */
export type Constraint =
  | { readonly kind: 'pathPrefix'; readonly prefix: string }
  | { readonly kind: 'hosts'; readonly hosts: readonly string[] }
  | { readonly kind: 'maxAmount'; readonly argument: string; readonly max: number }
  | { readonly kind: 'readOnlyRole' }
  | { readonly kind: 'timeLimit'; readonly ms: number }
  | { readonly kind: 'callsPerHour'; readonly max: number };

/** Who may answer, and how. `approvers`: names, or `role:<role>`; empty: any principal, or anybody where none is configured. */
export interface ApprovalTerms {
  readonly approvers: readonly string[];
  /** Distinct principals that must say yes: 1 or 2. */
  readonly approvals: number;
  readonly expiresInMs: number;
  /** `authenticated`: only an answer through the gateway counts. */
  readonly channel: Channel;
}
/** How an answer came. `asserted`: the sender's own word for who they are. */
export type Channel = 'asserted' | 'authenticated';

/** One of four decisions with the rule that made it (R5.1); the policy's version is the engine's. */
export type Decision = { readonly rule: string } & (
  | { readonly kind: 'allow' }
  | { readonly kind: 'constrained_allow'; readonly constraints: readonly Constraint[] }
  | { readonly kind: 'require_approval'; readonly terms: ApprovalTerms }
  /** `escalation`: the same thing asked for again is put before these (R5.2); without it a denial stands. */
  | { readonly kind: 'deny'; readonly reason: string; readonly escalation?: ApprovalTerms }
);

/** A person by name, with roles from configuration. */
export interface Principal {
  readonly name: string;
  readonly roles: readonly string[];
}
