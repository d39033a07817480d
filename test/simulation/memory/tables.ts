import type { JobRow, Place } from '../../../src/activities/job-rows';
import type {
  ActionRow,
  Approval,
  ApprovalAnswer,
  AttemptRow,
  BundleRow,
  CloseModelTry,
  CloseToolTry,
  EffectEvidence,
  Inserts,
  Revocation,
} from '../../../src/activities/ledger-port';
import type { Share } from '../../../src/domain/budget/account';
import type { Contract } from '../../../src/domain/contract/contract';
import type { Effect, EffectRef } from '../../../src/domain/effect/effect';
import type { Answered, CallKind } from '../../../src/protocol/calls';
import type { EventContent, Visibility } from '../../../src/protocol/events';
import type { Message } from '../../../src/protocol/messages';

/** The rows of a ledger in memory. A row is replaced and never changed, so whoever read it keeps what he read. */
export class Tables {
  readonly attempts = new Map<number, AttemptTables>();
  readonly workers = new Map<string, WorkerRecord>();
  /** By tenant and snapshot. */
  readonly bundles = new Map<string, BundleRow>();
  readonly effects = new Map<string, EffectRecord>();
  readonly evidence: {
    readonly effect: string;
    readonly attempt: number;
    readonly n: number;
    readonly is: EffectEvidence;
  }[] = [];
  readonly revocations: (Revocation & { readonly tenant: string })[] = [];
  /** The attempt that holds a race, by `tenant/task/first`. */
  readonly races = new Map<string, number>();
  readonly effectWaits = new Map<number, { readonly tenant: string; readonly ref: EffectRef }>();
  /** Contracts of a task, in the order of their versions. */
  readonly contracts = new Map<string, { readonly hash: string; readonly contract: Contract }[]>();
  /** What nobody should ever ask a ledger to write, by rule. */
  readonly faults: { readonly rule: string; readonly what: string }[] = [];
  nextKey = 1;
  nextOrdinal = 1;
}

export class AttemptTables {
  readonly moves = new Map<
    number,
    { readonly kind: CallKind; readonly argsHash: string; readonly answered: Answered }
  >();
  readonly executions = new Map<number, ExecutionRecord>();
  readonly inbox = new Map<string, InboxRecord>();
  readonly inputs = new Map<number, Inserts['inputs']>();
  readonly turns = new Map<number, Inserts['turns']>();
  readonly modelTries = new Map<string, ModelTryRecord>();
  readonly steps = new Map<number, Inserts['steps']>();
  readonly actions = new Map<string, ActionRow & { readonly effect: string }>();
  readonly toolTries = new Map<string, ToolTryRecord>();
  readonly observations = new Map<string, Inserts['observations']>();
  readonly taskStates = new Map<number, Inserts['task_states']>();
  readonly evidence = new Map<string, Inserts['evidence']>();
  readonly sealedEvidence = new Map<string, Inserts['sealed_evidence']>();
  readonly checkpoints = new Map<number, unknown>();
  readonly versions = new Map<number, Inserts['attempt_versions']>();
  readonly projections = new Map<number, Inserts['projections']>();
  readonly jobs = new Map<string, Omit<JobRow, 'tool'>>();
  readonly children = new Map<string, Place & { readonly child: number; readonly share: Share }>();
  readonly jobTokens = new Map<string, true>();
  readonly events = new Map<number, EventRecord>();
  readonly approvals = new Map<string, Omit<Approval, 'answers'>>();
  readonly answers = new Map<string, { readonly approval: string; readonly answer: ApprovalAnswer }>();

  constructor(
    readonly head: AttemptHead,
    readonly contract: Contract,
  ) {}
}

/** The attempt's own row. */
export interface AttemptHead {
  row: AttemptRow;
  /** Attempts of the task with a higher number act for the same end. */
  readonly kinAfter: number;
  sequence: number;
  taskCompletion: string | null;
}
export interface WorkerRecord {
  readonly id: string;
  readonly renewedAt: number;
  readonly ended: boolean;
  readonly workspaceHost?: string;
}
export interface ExecutionRecord {
  readonly id: string;
  readonly worker: string;
  readonly kind: CallKind;
  readonly argsHash: string;
  readonly startedAt: number;
  readonly finished: boolean;
}
export type InboxRecord = {
  readonly message: Message;
  readonly ordinal: number;
  readonly at: number;
  readonly takenBy: number | null;
  readonly disposition: 'taken' | 'rejected' | null;
  readonly why: string | null;
};
export type ModelTryRecord = Inserts['model_tries'] & { readonly openedAt: number; readonly close?: CloseModelTry };
export type ToolTryRecord = Omit<Inserts['tool_tries'], 'closed'> & {
  readonly openedAt: number;
  readonly proven: boolean;
  readonly close?: CloseToolTry;
};
export interface EventRecord {
  readonly sequence: number;
  readonly move: number;
  readonly k: number;
  readonly type: EventContent['type'];
  readonly turn: number;
  readonly step: number;
  readonly visibility: Visibility;
  readonly payload: EventContent['payload'];
}
/** An effect as it is stored: whether its owner lives is seen when it is read. */
export type EffectRecord = Omit<Effect, 'ownerLive'> & {
  readonly tenant: string;
  readonly n: number;
  readonly claimedAt: number;
};

export const effectKey = (tenant: string, { key, generation }: EffectRef) => `${tenant}/${key}/g${generation}`;
export const placeKey = (step: number, index: number) => `${step}.${index}`;
export const tryKey = (key: { step: number; index?: number; try: number; execution: number }) =>
  `${key.step}.${key.index ?? 'model'}.${key.try}.${key.execution}`;
