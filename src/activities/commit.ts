import type { Answered, Call } from '../protocol/calls';
import type { ActivityDeps } from './deps';
import { numbered } from './numbered-call';

/** Where a verified candidate is put in the user's repository. */
export const resultBranch = (attempt: string) => `holdfast/${attempt}`;

/** Points the result branch at the verified snapshot. The same call again finds it there. */
export function createCommit(deps: ActivityDeps) {
  return async (call: Call<'commit'>, signal: AbortSignal): Promise<Answered<'commit'>> => {
    const branch = resultBranch(call.ref.id);
    return numbered<'commit', string, string>(deps, 'commit', call, signal, {
      takes: 'cancel',
      open(tx, { cancel }) {
        if (cancel || tx.attempt.ended) return { answer: { kind: 'interrupted' } };
        if (tx.attempt.snapshot === null) throw new Error(`Attempt ${call.ref.id} has nothing to commit.`);
        return { work: tx.attempt.snapshot };
      },
      work: async (snapshot) => {
        const { goal } = await deps.ledger.contract(call.ref);
        return deps.workspaces.commit({ tenant: call.ref.tenant, attempt: call.ref.id }, snapshot, branch, goal);
      },
      close(tx, _snapshot, commit) {
        tx.emit({ type: 'committed', payload: { branch, commit } });
        return { kind: 'committed' };
      },
    });
  };
}
