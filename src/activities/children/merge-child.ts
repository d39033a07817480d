import type { AttemptRow } from '../ledger-port';
import type { ChildMerge, MergeChoices } from '../ports';
import { type BundleDeps, bringSnapshots } from '../workspace-bundles';

/**
 * What the tool `merge_branch` does to the worktree that it holds (R14.4): brings in what the child did since it was begun. The child's
 * end has closed its rows, so a repeat merges the same.
 */
export async function mergeChild(
  deps: BundleDeps,
  parent: AttemptRow,
  id: string,
  choices: MergeChoices,
  signal: AbortSignal,
): Promise<ChildMerge> {
  const { ledger, workspaces } = deps;
  const { tenant, id: own } = parent.ref;
  const ref = await ledger.child(parent.ref, id);
  if (!ref) return { kind: 'no_child' };
  const child = await ledger.attempt(ref);
  if (!child.ended) return { kind: 'runs' };
  const base = child.child?.snapshot ?? null;
  if (base === null || child.snapshot === null) return { kind: 'no_files' };
  await bringSnapshots(deps, parent, [base, child.snapshot], signal);
  const merged = await workspaces.merge({ tenant, attempt: own }, { base, theirs: child.snapshot, ...choices });
  return merged.kind === 'merged' ? { ...merged, state: child.state } : merged;
}
