import { join } from 'node:path';
import { type Conflict, type Merged, type MergeSides, WorkspaceError } from '../../activities/ports';
import { type Git, type GitOutput, type GitPlace, gitFailure } from './git';

/** What `git merge-tree` ends with where there are conflicts. */
const hasConflicts = 1;
/** More files in conflict than a model works through at once; the rest is counted. */
const conflictsToldMax = 20;
/** Of one file: what is longer is read there. */
const conflictMaxChars = 4_000;
/** Lines before and after what is in conflict, as in a diff. */
const contextLines = 3;
/** What git puts around the two versions, and between them. */
const marker = /^(?:<{7}|\|{7}|={7}|>{7})/;

/**
 * Three-way merge of two snapshots that began at `base`, in the mirror and the worktree at `place`, whose index is at `ours`. The
 * worktree holds the result where every conflict was decided by the sides' `mine` and `theirs`; else it is as it was.
 */
export async function mergeSnapshots(
  git: Git,
  place: Required<GitPlace>,
  ours: string,
  { base, theirs, takeMine, takeTheirs }: MergeSides,
): Promise<Merged> {
  const bare = { gitDir: place.gitDir };
  // Snapshots know their first commit alone; these two know where they parted.
  const parted = async (snapshot: string) =>
    (await git.ok(bare, ['commit-tree', '-p', base, '-m', 'side', `${snapshot}^{tree}`])).trim();
  const [one, other] = [await parted(ours), await parted(theirs)];
  const merge = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', one, other];
  const merged = await git.run(bare, merge);
  if (merged.code !== 0 && merged.code !== hasConflicts) throw gitFailure(merged, 'merge-tree');
  const { tree, paths } = parts(merged);
  const decided = new Set([...takeMine, ...takeTheirs]);
  const open = paths.filter((path) => !decided.has(path));
  if (open.length > 0) {
    const told = open.slice(0, conflictsToldMax);
    const conflicts = await Promise.all(told.map((path) => conflictAt(git, bare, { tree, ours, theirs, path })));
    return { kind: 'conflicts', conflicts, more: open.length - told.length };
  }
  const choices = [
    ...takeMine.map((path) => ({ path, from: ours })),
    ...takeTheirs.map((path) => ({ path, from: theirs })),
  ];
  const result = choices.length === 0 ? tree : await withChoices(git, place, tree, choices);
  await git.ok(place, ['read-tree', '--reset', '-u', result]);
  const changed = await git.ok(bare, [
    'diff-tree',
    '-r',
    '--name-only',
    '--no-renames',
    '-z',
    `${ours}^{tree}`,
    result,
  ]);
  return { kind: 'merged', paths: changed.split('\0').filter((path) => path !== '') };
}

function parts({ stdout }: GitOutput): { readonly tree: string; readonly paths: readonly string[] } {
  const [tree = '', ...paths] = stdout.split('\0').filter((part) => part !== '');
  return { tree, paths: [...new Set(paths)] };
}

/** The tree with these paths as the named snapshot has them, or without them where it has none; in an index of its own. */
async function withChoices(
  git: Git,
  place: Required<GitPlace>,
  tree: string,
  choices: readonly { readonly path: string; readonly from: string }[],
): Promise<string> {
  const at = { gitDir: place.gitDir, indexFile: join(place.indexFile, '..', 'merge-index') };
  await git.ok(at, ['read-tree', tree]);
  for (const { path, from } of choices) {
    const entry = await git.run(at, ['ls-tree', '-z', from, '--', path]);
    const [, mode, type, object] = /^(\d+) (\w+) ([0-9a-f]+)\t/.exec(entry.stdout) ?? [];
    if (type === 'tree' || entry.code !== 0) throw noFile(path);
    if (mode === undefined || object === undefined) await git.ok(at, ['update-index', '--force-remove', '--', path]);
    else await git.ok(at, ['update-index', '--add', '--cacheinfo', `${mode},${object},${path}`]);
  }
  return (await git.ok(at, ['write-tree'])).trim();
}

const noFile = (path: string) =>
  new WorkspaceError(
    { class: 'tool_argument', code: 'NOT_A_FILE' },
    `${path} names no file of the workspace.`,
    'Name files that are in conflict, as they were told.',
  );

async function conflictAt(
  git: Git,
  place: GitPlace,
  { tree, ours, theirs, path }: { tree: string; ours: string; theirs: string; path: string },
): Promise<Conflict> {
  const isIn = async (side: string) => (await git.ok(place, ['ls-tree', '-z', side, '--', path])) !== '';
  const [inOurs, inTheirs] = [await isIn(ours), await isIn(theirs)];
  if (!inOurs || !inTheirs) return { path, text: deletedBy(inOurs, inTheirs) };
  const { code, stdout } = await git.run(place, ['cat-file', 'blob', `${tree}:${path}`]);
  if (code !== 0 || stdout.includes('\0') || !/^<{7}/m.test(stdout))
    return { path, text: 'Both sides changed it, and it is no text that could be merged.' };
  return { path, text: hunks(stdout) };
}

const deletedBy = (inOurs: boolean, inTheirs: boolean) =>
  inOurs || inTheirs
    ? `${inOurs ? 'The child' : 'You'} deleted it, and ${inOurs ? 'you' : 'the child'} changed it.`
    : 'Both sides moved or deleted it, each in its own way.';

/** What is in conflict, with the lines around it. */
function hunks(text: string): string {
  const lines = text.split('\n').map(named);
  const shown = new Set<number>();
  let inside = false;
  for (const [at, line] of lines.entries()) {
    if (line.startsWith('<<<<<<<')) inside = true;
    if (inside || marker.test(line))
      for (let near = at - contextLines; near <= at + contextLines; near += 1) shown.add(near);
    if (line.startsWith('>>>>>>>')) inside = false;
  }
  const kept = lines.flatMap((line, at) => (shown.has(at) ? [line] : shown.has(at - 1) ? ['…'] : []));
  const whole = kept.join('\n');
  return whole.length > conflictMaxChars ? `${whole.slice(0, conflictMaxChars)}\n…` : whole;
}

const named = (line: string) =>
  line.startsWith('<<<<<<< ') ? '<<<<<<< yours' : line.startsWith('>>>>>>> ') ? ">>>>>>> the child's" : line;
