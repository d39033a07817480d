import type { DiffCriterion } from '../../domain/contract/contract';
import { problemInWords, checkDiff as problemsOf } from '../../domain/contract/diff-check';
import { cannotCheck } from './checked';
import type { Verifier } from './verifier';

/** The paths that differ between where the work began and the candidate's snapshot are those that may and must. */
export const checkDiff: Verifier<DiffCriterion> = async ({ deps, attempt }, criterion) => {
  const { ref, baseCommit, snapshot } = attempt;
  if (snapshot === null || baseCommit === null) return cannotCheck('NO_WORKSPACE');
  const changed = await deps.workspaces.changedFiles({ tenant: ref.tenant, attempt: ref.id }, baseCommit, snapshot);
  const problems = problemsOf(
    criterion,
    changed.map((file) => file.path),
  );
  return {
    kind: 'checked',
    met: problems.length === 0,
    snapshot,
    evidence: {
      detail: problems.map(problemInWords).join(' '),
      ran: 'diff',
      output: changed.map((file) => `${file.status} ${file.path}`).join('\n'),
    },
  };
};
