import { InputError, type Location, type Problem } from '../../located-yaml/input-error';
import type { Severity } from './rule-problem';

/** What is wrong or doubtful in a policy file. */
export interface PolicyProblem extends Problem {
  readonly severity: Severity;
}

/** As an editor lists them: by file in the order of the policy, then by line. */
export function inOrder(problems: readonly PolicyProblem[], files: readonly string[]): readonly PolicyProblem[] {
  const rank = (at: Location | undefined) => (at === undefined ? -1 : files.indexOf(at.file));
  return problems.toSorted(
    (a, b) =>
      rank(a.at) - rank(b.at) || (a.at?.line ?? 0) - (b.at?.line ?? 0) || (a.at?.column ?? 0) - (b.at?.column ?? 0),
  );
}

/** The problems of a file that could not be read. Throws whatever else was thrown. */
export function problemsOfError(error: unknown): readonly PolicyProblem[] {
  if (!(error instanceof InputError)) throw error;
  return error.problems.map((problem) => ({ ...problem, severity: 'error' }));
}
