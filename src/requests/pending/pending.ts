import type { RunningJob } from '../../ledger/queries/attempt-details';
import type { OpenApproval } from '../../ledger/queries/open-approvals';
import type { Trouble } from '../../ledger/queries/trouble';
import type { UnknownEffect } from '../../ledger/queries/unknown-effects';

/** What an attempt waits for, and the command that answers it. */
export type Pending = PendingBase &
  (
    | { readonly kind: 'question'; readonly actionId: string; readonly choices?: readonly string[] }
    /** `trouble`: what stood in the way, where it was not the model that stopped. */
    | { readonly kind: 'message'; readonly trouble?: Trouble }
    | { readonly kind: 'budget' }
    | { readonly kind: 'suspended' }
    | ({ readonly kind: 'approval' } & Omit<OpenApproval, 'attemptId'>)
    /** Nobody here can tell whether it happened (R4.7). */
    | ({ readonly kind: 'reconcile' } & Omit<UnknownEffect, 'attemptId'>)
    /** Another effect on the same target is unknown (E7). */
    | { readonly kind: 'effect'; readonly effect: string }
    /** Another system works on it (R15.2). */
    | ({ readonly kind: 'job' } & Pick<RunningJob, 'actionId' | 'handle' | 'since'>)
  );

interface PendingBase {
  readonly attemptId: string;
  readonly text: string;
  /** What the command does, and what to look at or to mend first, where that is not plain. */
  readonly advice?: string;
  readonly command: string;
  /** The other answer. */
  readonly or?: string;
}
