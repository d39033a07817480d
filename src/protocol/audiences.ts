import type { EventContent } from './events';

/** Who reads of an attempt (R10.4), from the one that sees least; each also sees what those before it see. */
export const audiences = ['model', 'user', 'operator', 'auditor'] as const;
export type Audience = (typeof audiences)[number];

type Field<Payload> = Payload extends unknown ? keyof Payload & string : never;
type FieldsOf<Type extends EventContent['type']> = Field<Extract<EventContent, { type: Type }>['payload']>;

/** From which audience on an event is seen, and each of its fields. */
export interface Seen<Name extends string = string> {
  readonly event: Audience;
  readonly fields: Readonly<Record<Name, Audience>>;
}

/**
 * The one table of what each audience sees of each event. A model is told of its own work and of nobody else: no names of people,
 * costs, rules or faults of the installation. A user sees the work and what it costs; an operator what decided and what failed; an
 * auditor all. An event that was written for a later audience than stands here is seen by that one only.
 */
export const seenBy: { readonly [Type in EventContent['type']]: Seen<FieldsOf<Type>> } = {
  attempt_created: {
    event: 'model',
    fields: { contractVersion: 'model', forkedFrom: 'user', inherits: 'user', continues: 'user', childOf: 'user' },
  },
  state_moved: { event: 'user', fields: { path: 'user', reason: 'user' } },
  workspace_ready: { event: 'model', fields: { base: 'model', snapshot: 'model', setupMs: 'user' } },
  workspace_moved: { event: 'operator', fields: { from: 'operator', to: 'operator', snapshot: 'operator' } },
  workspace_failed: { event: 'user', fields: { code: 'user', detail: 'user' } },
  model_answered: {
    event: 'user',
    fields: { stop: 'user', calls: 'user', tokensIn: 'user', tokensOut: 'user', costMicroUsd: 'user', try: 'user' },
  },
  model_failed: {
    event: 'operator',
    fields: { code: 'operator', try: 'operator', model: 'operator', detail: 'operator' },
  },
  context_compacted: {
    event: 'user',
    fields: {
      by: 'user',
      uptoStep: 'user',
      tokensBefore: 'user',
      tokensAfter: 'user',
      items: 'user',
      left: 'user',
      bill: 'user',
    },
  },
  projection_rejected: {
    event: 'operator',
    fields: { by: 'operator', code: 'operator', faults: 'operator', try: 'operator', bill: 'operator' },
  },
  action_started: { event: 'model', fields: { index: 'model', tool: 'model', try: 'user' } },
  action_finished: {
    event: 'model',
    fields: { index: 'model', tool: 'model', ok: 'model', code: 'model', snapshot: 'model', bytes: 'user' },
  },
  read_repeated: { event: 'user', fields: { index: 'user', tool: 'user', snapshot: 'user', drift: 'user' } },
  tool_failed: { event: 'user', fields: { index: 'user', tool: 'user', code: 'user', detail: 'operator' } },
  protected_read: {
    event: 'auditor',
    fields: {
      tool: 'auditor',
      argsHash: 'auditor',
      try: 'auditor',
      index: 'auditor',
      execution: 'auditor',
      criterion: 'auditor',
      candidate: 'auditor',
    },
  },
  action_denied: {
    event: 'model',
    fields: { index: 'model', tool: 'model', code: 'model', rule: 'operator', policy: 'operator' },
  },
  approval_requested: {
    event: 'user',
    fields: {
      index: 'user',
      tool: 'user',
      binding: 'user',
      rule: 'operator',
      policy: 'operator',
      needed: 'user',
      expiresAt: 'user',
    },
  },
  approval_answered: {
    event: 'user',
    fields: { action: 'user', answer: 'user', by: 'user', channel: 'operator', left: 'user' },
  },
  approval_closed: { event: 'user', fields: { action: 'user', as: 'user' } },
  effect_unknown: {
    event: 'operator',
    fields: { action: 'operator', effect: 'operator', code: 'operator', detail: 'operator' },
  },
  effect_settled: {
    event: 'user',
    fields: { action: 'user', effect: 'operator', as: 'user', by: 'user', name: 'user' },
  },
  effect_probed: { event: 'user', fields: { action: 'user', effect: 'operator', found: 'user', round: 'user' } },
  effect_conflict: { event: 'user', fields: { action: 'user', effect: 'operator', recorded: 'user', said: 'user' } },
  effect_reused: { event: 'user', fields: { index: 'user', effect: 'operator' } },
  target_busy: { event: 'user', fields: { index: 'user', target: 'user', effect: 'operator' } },
  job_submitted: { event: 'model', fields: { index: 'model', tool: 'model', handle: 'user' } },
  job_ended: { event: 'model', fields: { action: 'model', tool: 'model', as: 'model', by: 'user' } },
  child_started: { event: 'model', fields: { index: 'model', child: 'model' } },
  child_ended: { event: 'model', fields: { action: 'model', child: 'model', state: 'model', reason: 'model' } },
  compensated: { event: 'user', fields: { effect: 'operator', ok: 'user' } },
  cancel_settled: { event: 'user', fields: { requestedAt: 'user', committed: 'user', processes: 'operator' } },
  limits_raised: { event: 'user', fields: { by: 'user', limits: 'user' } },
  goal_revised: { event: 'model', fields: { contractVersion: 'model', messageId: 'user' } },
  tool_retry: { event: 'user', fields: { index: 'user', code: 'user', try: 'user' } },
  loop_warning: {
    event: 'model',
    fields: {
      index: 'model',
      tool: 'model',
      repeats: 'model',
      intervention: 'model',
      kind: 'model',
      snapshot: 'model',
    },
  },
  message_taken: { event: 'user', fields: { messageId: 'user', kind: 'user' } },
  message_rejected: { event: 'user', fields: { messageId: 'user', kind: 'user', why: 'user' } },
  criterion_checked: { event: 'user', fields: { criterion: 'user', met: 'user', candidate: 'user', code: 'user' } },
  repair_requested: { event: 'model', fields: { candidate: 'model', unmet: 'user' } },
  committed: { event: 'user', fields: { branch: 'user', commit: 'user', fit: 'user' } },
  nothing_changed: { event: 'user', fields: {} },
  commit_failed: { event: 'user', fields: { branch: 'user', code: 'user', detail: 'user' } },
  workflow_lost: { event: 'operator', fields: { status: 'operator' } },
  budget_exceeded: {
    event: 'user',
    fields: { limit: 'user', used: 'user', max: 'user', ask: 'user', per: 'user', times: 'user' },
  },
  execution_lost: { event: 'operator', fields: { move: 'operator', kind: 'operator' } },
  gave_up: { event: 'operator', fields: { move: 'operator', kind: 'operator', code: 'operator' } },
  paused: { event: 'user', fields: { state: 'user', reason: 'user' } },
  version_changed: {
    event: 'user',
    fields: { part: 'user', name: 'user', from: 'operator', to: 'operator', handled: 'user' },
  },
  ended: { event: 'model', fields: { state: 'model', reason: 'model' } },
};
