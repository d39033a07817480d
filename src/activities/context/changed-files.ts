import type { AttemptRow } from '../ledger-port';
import { ArtifactError, WorkspaceError, type WorkspacePort } from '../ports';
import { type BundleDeps, bringHere } from '../workspace-bundles';

type Changed = Awaited<ReturnType<WorkspacePort['changedFiles']>>;

/**
 * Files that differ from where the attempt began. Empty where the workspace cannot be read: the next action or check that
 * needs it says so, and stops.
 */
export async function changedFiles(deps: BundleDeps, { ref, baseCommit, snapshot }: AttemptRow): Promise<Changed> {
  if (!baseCommit || !snapshot || baseCommit === snapshot) return [];
  try {
    await bringHere(deps, { ref, snapshot }, new AbortController().signal);
    return await deps.workspaces.changedFiles({ tenant: ref.tenant, attempt: ref.id }, baseCommit, snapshot);
  } catch (error) {
    if (error instanceof WorkspaceError || error instanceof ArtifactError) return [];
    throw error;
  }
}
