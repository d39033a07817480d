import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MergeChoices, Merged, WorkspacePort } from '../../src/activities/ports';
import { createWorkspaces } from '../../src/workspace/create-workspaces';
import { id, never, type Sandpit, sandpit, writeIn } from './support/sandpit';

const lines = (...changed: readonly (readonly [number, string])[]) =>
  Array.from({ length: 20 }, (_, at) => changed.find(([line]) => line === at)?.[1] ?? `line ${at}`).join('\n');
const child = { tenant: id.tenant, attempt: 'child/1' };
const none: MergeChoices = { takeMine: [], takeTheirs: [] };

let pit: Sandpit;
let workspaces: WorkspacePort;
beforeEach(() => {
  pit = sandpit({ 'a.txt': lines(), 'b.txt': 'two\n', 'picture.bin': 'one\0' });
  workspaces = createWorkspaces({ dataDir: pit.data, sandbox: 'auto', env: process.env });
});
afterEach(() => pit.remove());

type Work = (root: string) => void;
const change = async (who: typeof id, snapshot: string, work: Work) =>
  (await workspaces.exclusive(who, snapshot, never, async (root) => work(root))).snapshot;

/** Parent and child part after `before`, and each does its own; then the parent merges. */
async function merged(before: Work, mine: Work, theirs: Work, choices = none) {
  const { base: first } = await workspaces.prepare(id, pit.spec, never);
  const base = await change(id, first, before);
  await workspaces.prepare(child, pit.spec, never, undefined, { attempt: id.attempt, snapshot: base });
  const [ours, other] = [await change(id, base, mine), await change(child, base, theirs)];
  const { value, snapshot } = await workspaces.exclusive(id, ours, never, async (root) => {
    const told: Merged = await workspaces.merge(id, { base, theirs: other, ...choices });
    const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined);
    return { told, a: read('a.txt'), b: read('b.txt'), added: read('new/c.txt') };
  });
  return { ...value, ours, snapshot };
}
const nothing = () => {};
const write = (path: string, text: string) => (root: string) => writeIn(root, { [path]: text });

test('R14.4 what each side did is in the worktree after, and in its snapshot; what stood before they parted is no change', async () => {
  const { told, a, b, added, snapshot } = await merged(
    write('b.txt', 'before\n'),
    write('a.txt', lines([2, 'mine'])),
    (root) => writeIn(root, { 'a.txt': lines([15, 'theirs']), 'new/c.txt': 'c' }),
  );
  expect(told).toEqual({ kind: 'merged', paths: ['a.txt', 'new/c.txt'] });
  expect([a, b, added]).toEqual([lines([2, 'mine'], [15, 'theirs']), 'before\n', 'c']);
  const again = await workspaces.exclusive(id, snapshot, never, async (root) =>
    readFileSync(join(root, 'a.txt'), 'utf8'),
  );
  expect(again).toEqual({ value: lines([2, 'mine'], [15, 'theirs']), snapshot });
});

test('R14.4 the same lines changed by both are a conflict that shows both, and the worktree is as it was', async () => {
  const both = { mine: write('a.txt', lines([7, 'mine'])), theirs: write('a.txt', lines([7, 'theirs'])) };
  const { told, a, ours, snapshot } = await merged(nothing, both.mine, both.theirs);
  expect(told).toEqual({
    kind: 'conflicts',
    more: 0,
    conflicts: [
      {
        path: 'a.txt',
        text: "line 4\nline 5\nline 6\n<<<<<<< yours\nmine\n=======\ntheirs\n>>>>>>> the child's\nline 8\nline 9\nline 10\n…",
      },
    ],
  });
  expect([a, snapshot]).toEqual([lines([7, 'mine']), ours]);
});

test.each<[string, MergeChoices, string | undefined]>([
  ['mine', { takeMine: ['a.txt'], takeTheirs: [] }, lines([7, 'mine'])],
  ['theirs', { takeMine: [], takeTheirs: ['a.txt'] }, lines([7, 'theirs'])],
])('R14.4 a conflict that was decided for %s is none, and the rest is merged', async (_, choices, expected) => {
  const { told, a, added } = await merged(
    nothing,
    write('a.txt', lines([7, 'mine'])),
    (root) => writeIn(root, { 'a.txt': lines([7, 'theirs']), 'new/c.txt': 'c' }),
    choices,
  );
  expect(told.kind).toBe('merged');
  expect([a, added]).toEqual([expected, 'c']);
});

const remove = (path: string) => (root: string) => rmSync(join(root, path));
test.each<[string, Work, Work, string]>([
  [
    'the child deleted what you changed',
    write('b.txt', 'mine'),
    remove('b.txt'),
    'The child deleted it, and you changed it.',
  ],
  [
    'you deleted what the child changed',
    remove('b.txt'),
    write('b.txt', 'theirs'),
    'You deleted it, and the child changed it.',
  ],
  [
    'both changed a file that is no text',
    (root) => writeFileSync(join(root, 'picture.bin'), 'mine\0'),
    (root) => writeFileSync(join(root, 'picture.bin'), 'theirs\0'),
    'Both sides changed it, and it is no text that could be merged.',
  ],
])('R14.4 %s', async (_, mine, theirs, text) => {
  const { told } = await merged(nothing, mine, theirs);
  expect(told).toMatchObject({ kind: 'conflicts', conflicts: [{ text }] });
});

test.each(['new', '../outside', '.git/config', '/etc/passwd', ':(glob)**'])(
  'R14.4 what is chosen is a file of the workspace, and nothing else is touched: %s',
  async (path) => {
    const choices = { takeMine: [], takeTheirs: [path] };
    const theirs = (root: string) => writeIn(root, { 'new/c.txt': 'c' });
    const outcome = await merged(nothing, write('b.txt', 'mine'), theirs, choices).then(
      ({ told }) => told.kind,
      (error: { failure?: { code: string } }) => error.failure?.code,
    );
    expect([path, outcome]).toEqual([path, expect.stringMatching(/^(?:merged|NOT_A_FILE)$/)]);
  },
);

test('R14.4 a deletion can be taken', async () => {
  const taken = await merged(nothing, write('b.txt', 'mine'), remove('b.txt'), { takeMine: [], takeTheirs: ['b.txt'] });
  expect([taken.told.kind, taken.b]).toEqual(['merged', undefined]);
});

test('R14.4 a child that did nothing brings nothing', async () => {
  const { told, ours, snapshot } = await merged(nothing, write('b.txt', 'mine'), nothing);
  expect([told, snapshot]).toEqual([{ kind: 'merged', paths: [] }, ours]);
});
