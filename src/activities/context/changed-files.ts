import type { ActivityDeps } from '../deps';
import type { AttemptRow } from '../ledger-port';
import { WorkspaceError, type WorkspacePort } from '../ports';

type Changed = Awaited<ReturnType<WorkspacePort['changedFiles']>>;

/**
 * Files that differ from where the attempt began. Empty where the workspace cannot be read: the next action or check that
 * needs it says so, and stops.
 */
export async function changedFiles(
  deps: Pick<ActivityDeps, 'workspaces'>,
  { ref, baseCommit, snapshot }: AttemptRow,
): Promise<Changed> {
  if (!baseCommit || !snapshot || baseCommit === snapshot) return [];
  try {
    return await deps.workspaces.changedFiles({ tenant: ref.tenant, attempt: ref.id }, baseCommit, snapshot);
  } catch (error) {
    if (error instanceof WorkspaceError) return [];
    throw error;
  }
}
