import type { WorkspaceSpec } from '../domain/contract/contract';
import type { Failure } from '../domain/failure/failure';
import type { Answered, Call } from '../protocol/calls';
import type { ActivityDeps } from './deps';
import type { AttemptRow, BundleRow } from './ledger-port';
import { numbered } from './numbered-call';
import { ArtifactError, WorkspaceError, type WorkspaceOrigin } from './ports';
import { stopped } from './stopped';
import { keepSnapshot, keptBundles } from './workspace-bundles';

interface Ready {
  readonly kind: 'ready';
  readonly base: string;
  readonly snapshot: string;
  readonly setupMs: number;
  /** Of the snapshot that it begins at, where that is new in the object store. */
  readonly bundle?: BundleRow;
}
type Prepared = Ready | { readonly kind: 'failed'; readonly failure: Failure; readonly detail: string };

interface Work {
  readonly from: WorkspaceOrigin | undefined;
}

/** Makes or finds the attempt's worktree with its dependency layer. A lost execution is simply made again. */
export function createPrepare(deps: ActivityDeps) {
  return async (call: Call<'prepare'>, signal: AbortSignal): Promise<Answered<'prepare'>> =>
    numbered<'prepare', Work, Prepared>(deps, 'prepare', call, signal, {
      takes: 'stops',
      workspace: true,
      open(tx, facts) {
        const stop = stopped(facts);
        if (stop || tx.attempt.ended) return { answer: stop ?? { kind: 'interrupted' } };
        // A word asks for one more try; a pause after it would take the same word for another one, without end.
        tx.update({ heard: tx.lastInput });
        return { work: { from: originOf(tx.attempt) } };
      },
      work: ({ from }, abort) => prepare(deps, call, from, abort),
      close(tx, _work, prepared) {
        if (prepared.kind === 'failed') {
          tx.emit({
            type: 'workspace_failed',
            payload: { code: prepared.failure.code, detail: prepared.detail.slice(0, 2_000) },
          });
          return { kind: 'failed', failure: prepared.failure };
        }
        const { base, snapshot, setupMs, bundle } = prepared;
        if (bundle) tx.keepBundle(bundle);
        const holdsIt = tx.attempt.start.hosts === 'many';
        tx.update({ baseCommit: base, snapshot, ...(holdsIt && deps.host !== undefined && { host: deps.host }) });
        tx.emit({ type: 'workspace_ready', payload: { base, snapshot, setupMs } });
        return { kind: 'ready', snapshot };
      },
      async cancelled(_tx, _work, { take, interrupted }) {
        await take();
        return interrupted;
      },
    });
}

/** An attempt that was forked begins with the files of its checkpoint (R12.3), a child with its parent's (R15.1). */
function originOf({ forkedFrom, child }: AttemptRow): WorkspaceOrigin | undefined {
  if (child && child.snapshot !== null) return { attempt: child.parent, snapshot: child.snapshot };
  if (!forkedFrom || forkedFrom.snapshot === null) return undefined;
  return { attempt: forkedFrom.attempt, snapshot: forkedFrom.snapshot };
}

async function prepare(
  deps: ActivityDeps,
  call: Call<'prepare'>,
  from: WorkspaceOrigin | undefined,
  signal: AbortSignal,
): Promise<Prepared> {
  const { workspace } = await deps.ledger.contract(call.ref);
  if (!workspace) throw new Error(`The contract of ${call.ref.id} names no workspace.`);
  try {
    return { kind: 'ready', ...(await make(deps, call, workspace, from, signal)) };
  } catch (error) {
    if (!(error instanceof WorkspaceError || error instanceof ArtifactError) || signal.aborted) throw error;
    return { kind: 'failed', failure: error.failure, detail: `${error.message} ${error.suggestedAction}` };
  }
}

/** Where the other attempt's workspace is on another host, its snapshot comes from the object store. */
async function make(
  deps: ActivityDeps,
  { ref }: Call<'prepare'>,
  spec: WorkspaceSpec,
  from: WorkspaceOrigin | undefined,
  signal: AbortSignal,
): Promise<Omit<Ready, 'kind'>> {
  const { tenant, id } = ref;
  const own = { tenant, attempt: id };
  if (deps.host === undefined || !from) return deps.workspaces.prepare(own, spec, signal, undefined, from);
  const { attempt, snapshot } = from;
  const kept = await keptBundles(deps, tenant, snapshot);
  const isHere = await deps.workspaces.holds({ tenant, attempt }, snapshot, signal);
  const made = isHere
    ? await deps.workspaces.prepare(own, spec, signal, undefined, from)
    : await deps.workspaces.restore(own, spec, snapshot, kept, signal);
  if (kept.length > 0) return made;
  // The other one may have worked where one host was all there was.
  const bundle = await keepSnapshot(deps, { ref, snapshot: null, baseCommit: made.base }, snapshot, signal);
  return { ...made, ...(bundle && { bundle }) };
}
