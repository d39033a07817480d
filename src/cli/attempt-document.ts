import { type AttemptDetails, attemptDetails } from '../ledger/queries/attempt-details';
import type { AttemptRef } from '../protocol/ids';
import { type Pending, pendingOf } from './pending';
import type { Session } from './session';
import { type WorkspacePlace, workspacePlace } from './workspace-place';

/** What `show` tells, and `--json` prints. */
export interface AttemptDocument extends AttemptDetails {
  readonly pending: readonly Pending[];
  readonly place: WorkspacePlace | null;
}

/** Rejects where the database cannot be reached. */
export async function attemptDocument({ pool, config }: Session, ref: AttemptRef): Promise<AttemptDocument> {
  const details = await attemptDetails(pool, ref);
  const place = details.workspace === null ? null : await workspacePlace(config.dataDir, ref);
  return { ...details, pending: pendingOf(details), place };
}
