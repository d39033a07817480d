import { z } from 'zod';
import type { WrittenLimit } from '../domain/budget/limit-table';
import type { Channel } from '../domain/policy/policy';

/** Messages to an Attempt: rows of the inbox, woken by signals (M4). */
export interface SayBody {
  readonly text: string;
  readonly by?: string;
  /** It revises the goal (R1.2): a new version of the contract, under which everything is decided anew. */
  readonly revise?: true;
}
export interface CancelBody {
  readonly by: string;
  readonly reason?: string;
}
/** An answer to one approval request. `actionId` may be left out where `binding` is given and one action waits. */
export interface AnswerBody {
  readonly actionId?: string;
  readonly by: string;
  readonly reason?: string;
  readonly binding?: string;
  /** Set by whoever checked who `by` is; a message typed by hand cannot carry it. */
  readonly channel?: Channel;
}
export interface SuspendBody {
  readonly by: string;
}
export interface ResumeBody {
  readonly by: string;
  /** Limits to raise, in the units of a task file. */
  readonly budget?: BudgetRaise;
}
export type BudgetRaise = Readonly<Partial<Record<WrittenLimit, number>>>;

const count = z.int().min(0).exactOptional();
export const budgetRaise = z.strictObject({
  maxTurns: count,
  maxToolCalls: count,
  maxSameToolErrors: count,
  maxRuntimeSeconds: z.number().positive().exactOptional(),
  maxTokens: count,
  maxCostUsd: z.number().min(0).exactOptional(),
  maxRepairs: count,
} satisfies Record<WrittenLimit, z.ZodType>);
/** A person's word on an effect that nobody else can tell of (R4.7). */
export interface ReconcileBody {
  readonly actionId: string;
  readonly outcome: 'committed' | 'not_committed';
  readonly by: string;
  readonly evidence: string;
  /** As in `AnswerBody`. */
  readonly channel?: Channel;
}
/** A remote job's own word that it has ended (R15.2). */
export interface JobSettledBody {
  readonly actionId: string;
  /** SHA-256 of the token that its send was given, 64 hex digits: the token itself goes no further than the handler. */
  readonly tokenHash: string;
  readonly outcome: 'succeeded' | 'failed';
  readonly downstreamId?: string;
  /** Its result; where it is left out the job is asked for it. */
  readonly output?: string;
}
export type MessageContent =
  | { readonly kind: 'say'; readonly body: SayBody }
  | { readonly kind: 'cancel'; readonly body: CancelBody }
  | { readonly kind: 'approve' | 'deny'; readonly body: AnswerBody }
  | { readonly kind: 'suspend'; readonly body: SuspendBody }
  | { readonly kind: 'resume'; readonly body: ResumeBody }
  | { readonly kind: 'reconcile'; readonly body: ReconcileBody }
  /**
   * From the runtime, always stored first: the effect that stood in this attempt's way is settled (E7). Or from the other side:
   * a job has ended (R15.2).
   */
  | { readonly kind: 'effectSettled'; readonly body: { readonly effect: string } | JobSettledBody }
  /** From the runtime, always stored first: a child has ended (R15.1), whose row says how. */
  | { readonly kind: 'childEnded'; readonly body: { readonly child: string } }
  /** A signal whose name or shape nobody knows: kept, rejected and shown, never acted on. */
  | { readonly kind: 'unknown'; readonly body: { readonly name: string; readonly why: string } };
export type MessageKind = MessageContent['kind'];

export type Message = MessageContent & {
  /** Given by the sender, else `signal/<ordinal>` or `update/<id>`; unique within the Attempt. */
  readonly id: string;
};

/** A hand-typed text may enter history; longer ones go through the CLI, which stores them first. */
export const maxTypedBytes = 16 * 1024;

export const signalNames = {
  say: 'say',
  cancel: 'cancel',
  approve: 'approve',
  deny: 'deny',
  suspend: 'suspend',
  resume: 'resume',
  reconcile: 'reconcile',
  effectSettled: 'effectSettled',
  childEnded: 'childEnded',
} as const;

/**
 * Asks a run to continue as new at its next safe place, on whichever version of the worker takes new runs (R12.2). It is no
 * message: no row, no number, no answer; sent twice it is one.
 */
export const upgradeSignal = 'upgrade';

/** What an update handler answers once an activity's answer has named its message. */
export interface UpdateReply {
  readonly taken: boolean;
  readonly why?: string;
  readonly next?: string;
}
