import type { AttemptState, Reason } from '../domain/attempt/states';

/** Who may see an event (R10.4); a class also sees those before it. */
export type Visibility = 'user' | 'operator' | 'auditor';

/** What an event says. Payloads are small facts; texts are read from the rows they point to. */
export type EventContent =
  | { type: 'attempt_created'; payload: { contractVersion: number } }
  /** Every state passed since the last event of this type, in order; the first is where the move began. */
  | { type: 'state_moved'; payload: { path: readonly AttemptState[]; reason?: Reason } }
  | { type: 'workspace_ready'; payload: { base: string; snapshot: string; setupMs: number } }
  | { type: 'workspace_failed'; payload: { code: string; detail: string } }
  | {
      type: 'model_answered';
      payload: { stop: string; calls: number; tokensIn: number; tokensOut: number; costMicroUsd: number; try: number };
    }
  | { type: 'model_failed'; payload: { code: string; try: number; model: string; detail?: string } }
  | { type: 'action_started'; payload: { index: number; tool: string; try: number } }
  | {
      type: 'action_finished';
      payload: { index: number; tool: string; ok: boolean; code?: string; snapshot?: string; bytes: number };
    }
  | { type: 'tool_retry'; payload: { index: number; code: string; try: number } }
  | { type: 'loop_warning'; payload: { index: number; tool: string; repeats: number; intervention: string } }
  | { type: 'message_taken'; payload: { messageId: string; kind: string } }
  | { type: 'message_rejected'; payload: { messageId: string; kind: string; why: string } }
  | { type: 'criterion_checked'; payload: { criterion: string; met: boolean; candidate: number; code?: string } }
  | { type: 'repair_requested'; payload: { candidate: number; unmet: readonly string[] } }
  | { type: 'committed'; payload: { branch: string; commit: string } }
  | { type: 'commit_failed'; payload: { branch: string; code: string; detail: string } }
  /** Temporal says that the workflow is over although the attempt was not; a worker closed the attempt. */
  | { type: 'workflow_lost'; payload: { status: string } }
  | { type: 'budget_exceeded'; payload: { limit: string; used: number; max: number } }
  | { type: 'execution_lost'; payload: { move: number; kind: string } }
  | { type: 'gave_up'; payload: { move: number; kind: string; code: string } }
  | { type: 'paused'; payload: { state: AttemptState; reason: Reason } }
  | { type: 'ended'; payload: { state: AttemptState; reason: Reason } };

/** Events that the workflow decides; they ride beside the arguments of the next call (M7). */
export type RiderEvent = Extract<EventContent, { type: 'state_moved' }>;
