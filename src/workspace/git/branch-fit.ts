import type { BranchFit } from '../../domain/contract/branch-fit';
import type { Git } from './git';
import type { Mirror } from './mirror';

/** Longest that the source is asked where its branch is, ms: a report is not worth a long wait. */
const fitTimeoutMs = 60_000;
/** More than a person reads; they are in git. */
const conflictsShownMax = 50;
/** What `git merge-tree` ends with where there are conflicts. */
const hasConflicts = 1;

export interface Result {
  readonly base: string;
  /** In the mirror. */
  readonly commit: string;
  /** As the task names it. */
  readonly ref: string;
}

/** Compares a result with its branch in the source, in the mirror alone: neither repository's branches change. Never throws for git. */
export async function branchFit(
  git: Git,
  { gitDir, source }: Mirror,
  { base, commit, ref }: Result,
): Promise<BranchFit> {
  const place = { gitDir };
  const tipRef = `refs/holdfast-tips/${commit}`;
  const from = ref === 'HEAD' ? 'HEAD' : `refs/heads/${ref}`;
  const fetch = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', source];
  try {
    const signal = AbortSignal.timeout(fitTimeoutMs);
    const fetched = await git.run(place, [...fetch, `+${from}:${tipRef}`], { remote: true, signal });
    if (fetched.code !== 0) return unknown;
    const tip = (await git.ok(place, ['rev-parse', '--verify', `${tipRef}^{commit}`])).trim();
    const isBehind = await git.run(place, ['merge-base', '--is-ancestor', tip, commit]);
    if (isBehind.code === 0) return { kind: 'fast_forward' };
    const behind = Number((await git.ok(place, ['rev-list', '--count', `${base}..${tip}`])).trim());
    return await merged(git, gitDir, tip, commit, behind);
  } catch {
    return unknown; // the result stands whatever could be found out about it
  } finally {
    await git.run(place, ['update-ref', '-d', tipRef]).catch(() => undefined);
  }
}

const unknown: BranchFit = { kind: 'unknown' };

async function merged(git: Git, gitDir: string, tip: string, commit: string, behind: number): Promise<BranchFit> {
  const tree = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', tip, commit];
  const { code, stdout } = await git.run({ gitDir }, tree);
  if (code === 0) return { kind: 'merges', behind };
  if (code !== hasConflicts) return unknown; // a git older than 2.38
  const [, ...paths] = stdout.split('\0').filter((path) => path !== ''); // the tree's id comes first
  return { kind: 'conflicts', behind, paths: paths.slice(0, conflictsShownMax) };
}
