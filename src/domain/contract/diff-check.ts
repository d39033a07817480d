import { compileGlob } from '../glob/compile-glob';
import { BadGlob } from '../glob/parse-glob';
import type { DiffCriterion } from './contract';

/** What a diff does that it must not, or does not that it must. */
export type DiffProblem =
  | { readonly kind: 'nothing_changed' }
  /** Changed paths that no glob of `only` matches. */
  | { readonly kind: 'outside'; readonly paths: readonly string[] }
  /** A glob of `mustChange` that no changed path matches. */
  | { readonly kind: 'untouched'; readonly glob: string }
  /** Changed paths that a glob of `mustNotChange` matches. */
  | { readonly kind: 'protected'; readonly paths: readonly string[] };

/** Judges the paths changed since the base commit, relative to the workspace. No problem: the criterion is met. Throws BadGlob. */
export function checkDiff(criterion: DiffCriterion, changed: readonly string[]): readonly DiffProblem[] {
  if (changed.length === 0) return [{ kind: 'nothing_changed' }];
  const problems: DiffProblem[] = [];

  const { only, mustChange = [], mustNotChange = [] } = criterion;
  if (only) {
    const inside = only.map(matcher);
    const outside = changed.filter((path) => !inside.some((holds) => holds(path)));
    if (outside.length > 0) problems.push({ kind: 'outside', paths: outside });
  }
  for (const glob of mustChange) {
    if (!changed.some(matcher(glob))) problems.push({ kind: 'untouched', glob });
  }
  const guards = mustNotChange.map(matcher);
  const guarded = changed.filter((path) => guards.some((holds) => holds(path)));
  if (guarded.length > 0) problems.push({ kind: 'protected', paths: guarded });
  return problems;
}

/** Why `checkDiff` would not understand a glob; undefined where it does. */
export function globProblem(glob: string): string | undefined {
  try {
    matcher(glob);
    return undefined;
  } catch (error) {
    if (error instanceof BadGlob) return error.message;
    throw error;
  }
}

/** A folder's name stands for all that is in it, and a path for itself, whatever signs it has. */
function matcher(glob: string): (path: string) => boolean {
  const pattern = glob.replace(/^\.\//, '');
  const folder = pattern.replace(/\/+$/, '');
  const itself = compileGlob(pattern);
  const below = compileGlob(`${folder}/**`);
  return (path) => path === pattern || itself(path) || below(path);
}

/** Paths beyond these say nothing more about what went wrong. */
const shownPathsMax = 20;

/** A problem in words, for the model and for people. */
export function problemInWords(problem: DiffProblem): string {
  switch (problem.kind) {
    case 'nothing_changed':
      return 'Nothing differs from the commit where the work began.';
    case 'outside':
      return `Changed outside the permitted paths: ${shown(problem.paths)}.`;
    case 'untouched':
      return `Nothing changed under ${problem.glob}.`;
    case 'protected':
      return `Changed although they must not: ${shown(problem.paths)}.`;
  }
}

function shown(paths: readonly string[]): string {
  const more = paths.length - shownPathsMax;
  return paths.slice(0, shownPathsMax).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
