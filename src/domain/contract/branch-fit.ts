/** How a result goes onto the branch that the work began at, as that branch is by now. */
export type BranchFit =
  /** The branch is where the work began. */
  | { readonly kind: 'fast_forward' }
  /** It went on by so many commits, and git merges the two by itself. */
  | { readonly kind: 'merges'; readonly behind: number }
  /** Both changed the same places. */
  | { readonly kind: 'conflicts'; readonly behind: number; readonly paths: readonly string[] }
  /** The work began at a tag or a commit, or the source does not say. */
  | { readonly kind: 'unknown' };

/** For people; `ref` as the task names it. */
export function branchFitInWords(fit: BranchFit, ref: string): string {
  switch (fit.kind) {
    case 'fast_forward':
      return `${ref} can be fast-forwarded to it`;
    case 'merges':
      return `${ref} has gone on by ${commits(fit.behind)}; the two merge without a conflict`;
    case 'conflicts':
      return `${ref} has gone on by ${commits(fit.behind)}; the two conflict in ${fit.paths.join(', ')}`;
    case 'unknown':
      return '';
  }
}

const commits = (count: number) => (count === 1 ? 'a commit' : `${count} commits`);
