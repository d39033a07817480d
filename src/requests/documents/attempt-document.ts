import { type AttemptDetails, attemptDetails } from '../../ledger/queries/attempt-details';
import { type CancelOutcome, cancelOutcome } from '../../ledger/queries/cancel-outcome';
import { checkpointList, type ListedCheckpoint } from '../../ledger/queries/checkpoint-list';
import { type ThreadAttempt, threadTurns } from '../../ledger/queries/thread-turns';
import type { AttemptRef } from '../../protocol/ids';
import type { Pending } from '../pending/pending';
import { pendingOf } from '../pending/pending-of';
import type { Session } from '../session';
import { type TenantUse, tenantUse } from './tenant-use';
import { type WorkspacePlace, workspacePlace } from './workspace-place';

/** What `show` tells, and `--json` prints. */
export interface AttemptDocument extends AttemptDetails {
  readonly pending: readonly Pending[];
  /** What a cancel came to; null where none was settled. */
  readonly cancel: CancelOutcome | null;
  readonly place: WorkspacePlace | null;
  /** Null where the tenant's attempts may cost what their own limits let them. */
  readonly tenantUse: TenantUse | null;
  /** The newest ones, oldest first. */
  readonly checkpoints: readonly ListedCheckpoint[];
  /** The attempts of its Thread, oldest first, itself among them, with what the user said to each. */
  readonly thread: readonly ThreadAttempt[];
}

/** Rejects where the database cannot be reached. */
export async function attemptDocument(session: Session, ref: AttemptRef): Promise<AttemptDocument> {
  const { pool, config } = session;
  const details = await attemptDetails(pool, ref);
  const cancel = details.state === 'CANCELLED' ? await cancelOutcome(pool, ref) : undefined;
  const place = details.workspace === null ? null : await workspacePlace(config.dataDir, ref);
  return {
    ...details,
    pending: pendingOf(ref.tenant, details, config.policy.principals),
    cancel: cancel ?? null,
    place,
    tenantUse: await tenantUse(session, ref.tenant),
    checkpoints: await checkpointList(pool, ref),
    thread: await threadTurns(pool, ref),
  };
}
