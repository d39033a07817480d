import type { BranchFit } from '../domain/contract/branch-fit';
import type { Failure } from '../domain/failure/failure';
import type { Answered, Call } from '../protocol/calls';
import { resultBranch } from '../protocol/ids';
import type { ActivityDeps } from './deps';
import { goOn, isUnheard } from './go-on';
import { isOverruled } from './goal-revised';
import { numbered } from './numbered-call';
import { ArtifactError, WorkspaceError } from './ports';
import { stopped } from './stopped';
import { bringHere } from './workspace-bundles';

type Committed =
  | { readonly kind: 'committed'; readonly commit: string; readonly fit: BranchFit }
  /** The work is as it was at the beginning: there is nothing to hand over. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly detail: string };

/** Longest part of a refusal that an event holds; it names a branch and what to do. */
const shownDetailMaxChars = 2_000;

/** R15.1: another of those begun side by side hands its candidate over; asked again, for it may yet fail. */
const othersTurn: Answered<'commit'>['answer'] = {
  kind: 'failed',
  failure: { class: 'tool_transient', code: 'ANOTHER_COMMITS' },
};

/** Points the result branch at the verified snapshot. The same call again finds it there. */
export function createCommit(deps: ActivityDeps) {
  return async (call: Call<'commit'>, signal: AbortSignal): Promise<Answered<'commit'>> => {
    const branch = resultBranch(call.ref);
    return numbered<'commit', string, Committed>(deps, 'commit', call, signal, {
      takes: 'committing',
      workspace: true,
      async open(tx, facts) {
        const stop = facts.sent ? undefined : stopped(facts);
        if (stop || tx.attempt.ended) return { answer: stop ?? { kind: 'interrupted' } };
        // I4 of goal-revised.ts; and a word that was taken while the attempt was suspended is heard first (M8).
        if (!facts.sent && (isOverruled(tx, tx.attempt.step) || isUnheard(tx))) return { answer: await goOn(tx) };
        if (tx.attempt.snapshot === null) throw new Error(`Attempt ${call.ref.id} has nothing to commit.`);
        const race = tx.attempt.start.race ? await tx.holdRace() : 'mine';
        if (race === 'lost') return { answer: { kind: 'interrupted' } };
        if (race === 'busy') return facts.patient ? { busy: true } : { answer: othersTurn };
        return { work: tx.attempt.snapshot };
      },
      // The branch may be there: whoever takes over finds out by making it, and the answer is what that says (M5).
      sent: async (_tx, takeover) => takeover,
      work: (snapshot, abort) => commit(deps, call, snapshot, branch, abort),
      async close(tx, _snapshot, committed) {
        if (committed.kind === 'failed') {
          if (tx.attempt.start.race) await tx.leaveRace();
          const detail = committed.detail.slice(0, shownDetailMaxChars);
          tx.emit({ type: 'commit_failed', payload: { branch, code: committed.failure.code, detail } });
          return { kind: 'failed', failure: committed.failure };
        }
        if (committed.kind === 'unchanged') tx.emit({ type: 'nothing_changed', payload: {} });
        else tx.emit({ type: 'committed', payload: { branch, commit: committed.commit, fit: committed.fit } });
        return { kind: 'committed' };
      },
    });
  };
}

async function commit(
  deps: ActivityDeps,
  { ref }: Call<'commit'>,
  snapshot: string,
  branch: string,
  signal: AbortSignal,
): Promise<Committed> {
  const { goal } = await deps.ledger.contract(ref);
  try {
    const workspace = { tenant: ref.tenant, attempt: ref.id };
    await bringHere(deps, { ref, snapshot }, signal);
    const made = await deps.workspaces.commit(workspace, snapshot, branch, goal);
    if (made === undefined) return { kind: 'unchanged' };
    return { kind: 'committed', commit: made, fit: await deps.workspaces.fit(workspace, made) };
  } catch (error) {
    if (!(error instanceof WorkspaceError || error instanceof ArtifactError) || signal.aborted) throw error;
    return { kind: 'failed', failure: error.failure, detail: `${error.message} ${error.suggestedAction}` };
  }
}
