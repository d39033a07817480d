import type { AttemptState, Reason } from '../domain/attempt/states';
import type { ExceededLimit, LimitName } from '../domain/budget/account';
import type { TenantCost } from '../domain/budget/tenant-cost';
import type { Handling, Part } from '../domain/checkpoint/resume-table';
import type { FaultCode, ProjectionFault } from '../domain/context/validate-projection';
import type { BranchFit } from '../domain/contract/branch-fit';
import type { SettledBy } from '../domain/effect/effect';
import type { JobEndedBy, JobState } from '../domain/job/job';
import type { Channel } from '../domain/policy/policy';
import type { LoopKind } from '../domain/progress/ladder';

/**
 * Raised when a reader of today could misread an event of tomorrow; an upcaster from the version before is then added
 * (upcast-event.ts).
 */
export const eventSchemaVersion = 1;

/** Who may see an event (R10.4); a class also sees those before it. */
export type Visibility = 'user' | 'operator' | 'auditor';

/** What a call of a model used. `priceUnknown`: its cost counts as nothing because nobody knows it. */
export interface Bill {
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly costMicroUsd: number;
  readonly priceUnknown?: true;
}

/** What an event says. Payloads are small facts; texts are read from the rows they point to. */
export type EventContent =
  | {
      type: 'attempt_created';
      payload: {
        contractVersion: number;
        forkedFrom?: string;
        inherits?: string;
        continues?: string;
        childOf?: string;
      };
    }
  /** Every state passed since the last event of this type, in order; the first is where the move began. */
  | { type: 'state_moved'; payload: { path: readonly AttemptState[]; reason?: Reason } }
  | { type: 'workspace_ready'; payload: { base: string; snapshot: string; setupMs: number } }
  /** The host that had the worktree is gone; another makes it anew from the snapshot. */
  | { type: 'workspace_moved'; payload: { from: string; to: string; snapshot: string | null } }
  | { type: 'workspace_failed'; payload: { code: string; detail: string } }
  | {
      type: 'model_answered';
      payload: { stop: string; calls: number; tokensIn: number; tokensOut: number; costMicroUsd: number; try: number };
    }
  | { type: 'model_failed'; payload: { code: string; try: number; model: string; detail?: string } }
  /**
   * Steps up to `uptoStep` are shown by a projection (R13.4). `tokens…`: of the whole view, as the provider counts them as far as
   * that is known; `left`: items that `recall` shows; `bill`: absent where no model was asked.
   */
  | {
      type: 'context_compacted';
      payload: {
        by: 'summary' | 'mechanical';
        uptoStep: number;
        tokensBefore: number;
        tokensAfter: number;
        items: number;
        left: number;
        bill?: Bill;
      };
    }
  /** The view stays as it was. `code`: the first of the faults. */
  | {
      type: 'projection_rejected';
      payload: {
        by: 'summary' | 'mechanical';
        code: FaultCode;
        faults: readonly ProjectionFault[];
        try: number;
        bill?: Bill;
      };
    }
  | { type: 'action_started'; payload: { index: number; tool: string; try: number } }
  | {
      type: 'action_finished';
      payload: { index: number; tool: string; ok: boolean; code?: string; snapshot?: string; bytes: number };
    }
  /** R9.3: a read of the workspace that took more than one try saw this snapshot. `drift`: an earlier try had acted on another. */
  | { type: 'read_repeated'; payload: { index: number; tool: string; snapshot: string; drift?: true } }
  /** What neither another try nor the model can mend, so the attempt stops for a person (R8.6). `detail`: what, and what to do. */
  | { type: 'tool_failed'; payload: { index: number; tool: string; code: string; detail: string } }
  /**
   * A try of a read of protected data, written before it runs (R9.3). `argsHash`: of tool and arguments, 64 hex digits. Of an
   * action, or of a check of the contract.
   */
  | {
      type: 'protected_read';
      payload: { tool: string; argsHash: string; try: number } & (
        | { index: number; execution: number }
        | { criterion: string; candidate: number }
      );
    }
  /** Refused by policy, by a person, by a revocation or by a constraint (R5.2). `rule` and `policy`: what decided. */
  | { type: 'action_denied'; payload: { index: number; tool: string; code: string; rule: string; policy: string } }
  | {
      type: 'approval_requested';
      payload: {
        index: number;
        tool: string;
        binding: string;
        rule: string;
        policy: string;
        needed: number;
        expiresAt: number;
      };
    }
  /** An answer that counted (R5.5). `left`: how many more are needed. */
  | {
      type: 'approval_answered';
      payload: { action: string; answer: 'approve' | 'deny'; by: string; channel: Channel; left: number };
    }
  | { type: 'approval_closed'; payload: { action: string; as: 'expired' | 'voided' } }
  /** Nobody can tell here whether it took effect (R4.5). `detail`: what the tool said when it failed, at most 500 characters. */
  | { type: 'effect_unknown'; payload: { action: string; effect: string; code: string; detail?: string } }
  /** Settled after it was unknown, or by a late answer (E4, E6). */
  | {
      type: 'effect_settled';
      payload: { action: string; effect: string; as: 'committed' | 'not_committed'; by: SettledBy; name?: string };
    }
  | { type: 'effect_probed'; payload: { action: string; effect: string; found: string; round: number } }
  /** Two words about one effect contradict each other; a person must look (E4). */
  | { type: 'effect_conflict'; payload: { action: string; effect: string; recorded: string; said: string } }
  /** The known outcome of the same operation was returned; nothing was sent (E1). */
  | { type: 'effect_reused'; payload: { index: number; effect: string } }
  | { type: 'target_busy'; payload: { index: number; target: string; effect: string } }
  /** R15.2: what the action asked for goes on elsewhere. `handle`: the other side's name for it. */
  | { type: 'job_submitted'; payload: { index: number; tool: string; handle: string } }
  | { type: 'job_ended'; payload: { action: string; tool: string; as: Exclude<JobState, 'running'>; by: JobEndedBy } }
  /** R15.1: what the action asked for is done by an attempt of its own. */
  | { type: 'child_started'; payload: { index: number; child: string } }
  | { type: 'child_ended'; payload: { action: string; child: string; state: AttemptState; reason: Reason } }
  | { type: 'compensated'; payload: { effect: string; ok: boolean } }
  /**
   * R11.2: what a cancel came to, in times of the ledger. `committed`: what took effect all the same, when that was known, when
   * it was sent, and who found out. `processes`: none of the workspace's runs any more, as was checked.
   */
  | {
      type: 'cancel_settled';
      payload: {
        requestedAt: string;
        committed: readonly { action: string; effect: string; at: string; sentAt?: string; by?: SettledBy }[];
        processes?: true;
      };
    }
  | { type: 'limits_raised'; payload: { by: string; limits: Readonly<Partial<Record<LimitName, number>>> } }
  /** R1.2: the user revised the goal; what was proposed before and not sent is not done any more. */
  | { type: 'goal_revised'; payload: { contractVersion: number; messageId: string } }
  | { type: 'tool_retry'; payload: { index: number; code: string; try: number } }
  /** R7.3: what a call climbed on the ladder, and by what. `snapshot`: of the workspace that had not changed. */
  | {
      type: 'loop_warning';
      payload: {
        index: number;
        tool: string;
        repeats: number;
        intervention: string;
        kind?: LoopKind;
        snapshot?: string;
      };
    }
  | { type: 'message_taken'; payload: { messageId: string; kind: string } }
  | { type: 'message_rejected'; payload: { messageId: string; kind: string; why: string } }
  | { type: 'criterion_checked'; payload: { criterion: string; met: boolean; candidate: number; code?: string } }
  | { type: 'repair_requested'; payload: { candidate: number; unmet: readonly string[] } }
  /** `fit`: with the branch that the work began at, as that was then. */
  | { type: 'committed'; payload: { branch: string; commit: string; fit?: BranchFit } }
  /** The verified work is as it was at the beginning, so there is no branch. */
  | { type: 'nothing_changed'; payload: Readonly<Record<string, never>> }
  | { type: 'commit_failed'; payload: { branch: string; code: string; detail: string } }
  /** Temporal says that the workflow is over although the attempt was not; a worker closed the attempt. */
  | { type: 'workflow_lost'; payload: { status: string } }
  /**
   * In the limit's units. `ask`: what the refused call would have taken; `per`: of the tenant's limit; `times`: all attempts of the task
   * have the limit so many times together, and that refused it. Older events have none of these.
   */
  | {
      type: 'budget_exceeded';
      payload: {
        limit: ExceededLimit;
        used: number;
        max: number;
        ask?: number;
        per?: TenantCost['per'];
        times?: number;
      };
    }
  | { type: 'execution_lost'; payload: { move: number; kind: string } }
  | { type: 'gave_up'; payload: { move: number; kind: string; code: string } }
  | { type: 'paused'; payload: { state: AttemptState; reason: Reason } }
  /** A pause was left beside another version than the one it was entered beside (R12.2). Null: it is not here, or was not. */
  | {
      type: 'version_changed';
      payload: { part: Part; name?: string; from: string | null; to: string | null; handled: Handling };
    }
  | { type: 'ended'; payload: { state: AttemptState; reason: Reason } };

/** Events that the workflow decides; they ride beside the arguments of the next call (M7). */
export type RiderEvent = Extract<EventContent, { type: 'state_moved' }>;
