import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KeptBundle, WorkspacePort } from '../../src/activities/ports';
import { createWorkspaces } from '../../src/workspace/create-workspaces';
import { makeBundle } from '../../src/workspace/git/bundle';
import { createGit } from '../../src/workspace/git/git';
import { gitIn, id, never, type Sandpit, sandpit, writeIn } from './support/sandpit';

let pit: Sandpit;
let [one, two]: readonly [WorkspacePort, WorkspacePort] = [] as never;
const host = (name: string) => createWorkspaces({ dataDir: join(pit.folder, name), sandbox: 'auto', env: process.env });
beforeEach(() => {
  pit = sandpit({ 'a.txt': 'one\n', '.gitignore': 'build/\n' });
  [one, two] = [host('one'), host('two')];
});
afterEach(() => pit.remove());

const change = async (at: WorkspacePort, snapshot: string, work: (root: string) => void) =>
  (await at.exclusive(id, snapshot, never, async (root) => work(root))).snapshot;
const keep = async (at: WorkspacePort, snapshot: string, thinOn?: string): Promise<KeptBundle & { bytes: number }> => {
  const body = await at.bundle(id, snapshot, thinOn, never);
  return { snapshot, read: async () => body, bytes: body.byteLength };
};
const gone = (name: string) => rmSync(join(pit.folder, name), { recursive: true });

test('E10 a bundle holds what is new since the last one, and the work goes on from the chain of them', async () => {
  const { base } = await one.prepare(id, pit.spec, never);
  const [text, other] = [randomBytes(200_000).toString('hex'), randomBytes(200_000).toString('hex')];
  const first = await change(one, base, (root) => writeIn(root, { 'b.txt': text, 'other.txt': other }));
  const second = await change(one, first, (root) => writeIn(root, { 'b.txt': `${text}more` }));
  const bundles = [await keep(one, first), await keep(one, second, first)];
  expect(bundles[0]?.bytes).toBeGreaterThan(100_000);
  expect(bundles[1]?.bytes).toBeLessThan(2_000);
  gone('one');

  await two.restore(id, pit.spec, second, bundles, never);
  const third = await change(two, second, (root) => writeIn(root, { 'c.txt': 'three' }));
  expect(await two.changedFiles(id, base, third)).toHaveLength(3);

  // A host that comes back, and one that has half of it, read what is missing.
  const next = await keep(two, third, second);
  const back = host('three');
  await back.restore(id, pit.spec, first, bundles.slice(0, 1), never);
  expect(await back.holds(id, third, never)).toBe(false);
  const unread = { ...bundles[0], snapshot: first, read: () => Promise.reject(new Error('It is here.')) };
  await back.restore(id, pit.spec, third, [unread, ...bundles.slice(1), next], never);
  expect(await back.holds(id, third, never)).toBe(true);
  expect(readFileSync(join(await back.root(id, third, never), 'b.txt'), 'utf8')).toBe(`${text}more`);
  expect(await back.commit(id, third, 'result', 'Done.')).toBeDefined();
  expect(gitIn(pit.repo, 'show', 'result:c.txt')).toBe('three');
  expect(gitIn(pit.repo, 'for-each-ref', 'refs/holdfast-bundles')).toBe('');
});

test('R12.3 a fork on another host begins at the snapshot, on the base that it was made on', async () => {
  const { base } = await one.prepare(id, pit.spec, never);
  const snapshot = await change(one, base, (root) => writeIn(root, { 'b.txt': 'b' }));
  const bundles = [await keep(one, snapshot)];
  writeIn(pit.repo, { 'later.txt': 'x' });
  gitIn(pit.repo, 'add', '-A');
  gitIn(pit.repo, '-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-qm', 'later');

  const fork = { ...id, attempt: 'repair/2' };
  expect(await two.restore(fork, pit.spec, snapshot, bundles, never)).toMatchObject({ base, snapshot });
  expect(await two.fit(fork, (await two.commit(fork, snapshot, 'result', 'Done.')) ?? '')).toEqual({
    kind: 'merges',
    behind: 1,
  });
});

test('a snapshot that neither bundles nor source have is an error that says so', async () => {
  await one.prepare(id, pit.spec, never);
  const restored = two.restore(id, pit.spec, '0123456789012345678901234567890123456789', [], never);
  await expect(restored).rejects.toMatchObject({ failure: { class: 'unrecoverable', code: 'SNAPSHOT_MISSING' } });
});

test('a snapshot that is too large to be kept is refused in words that say what to do', async () => {
  const { base } = await one.prepare(id, pit.spec, never);
  const commit = await change(one, base, (root) => writeFileSync(join(root, 'large'), randomBytes(300_000)));
  const mirror = gitIn(await one.root(id, commit, never), 'rev-parse', '--path-format=absolute', '--git-common-dir');
  const made = makeBundle(createGit(process.env), mirror, { commit, without: [base], signal: never }, 200_000);
  await expect(made).rejects.toMatchObject({
    failure: { class: 'state_conflict', code: 'SNAPSHOT_TOO_LARGE' },
    suggestedAction: expect.stringContaining('.gitignore'),
  });
});

test('a source with submodules is refused when the work begins, with what to do instead', async () => {
  const inner = join(pit.folder, 'inner');
  mkdirSync(inner);
  gitIn(inner, 'init', '-q', '-b', 'main');
  gitIn(inner, '-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-q', '--allow-empty', '-m', 'inner');
  gitIn(pit.repo, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'vendor/inner');
  gitIn(pit.repo, '-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-qm', 'with it');

  await expect(one.prepare(id, pit.spec, never)).rejects.toMatchObject({
    failure: { class: 'environment_drift', code: 'HAS_SUBMODULES' },
    message: expect.stringContaining('vendor/inner'),
    suggestedAction: expect.stringContaining('subtree'),
  });
});

test("R14.4 a child's snapshot of another host is fetched to be compared and merged, and the worktree stays as it is", async () => {
  const { base } = await one.prepare(id, pit.spec, never);
  const child = await change(one, base, (root) => writeIn(root, { 'child.txt': 'c' }));
  const bundles = [await keep(one, child)];
  await two.prepare(id, pit.spec, never);
  const own = await change(two, base, (root) => writeIn(root, { 'own.txt': 'o' }));

  await two.fetch(id, bundles, never);
  expect(await two.changedFiles(id, base, child)).toEqual([{ path: 'child.txt', status: 'added' }]);
  const merged = await two.exclusive(id, own, never, () =>
    two.merge(id, { base, theirs: child, takeMine: [], takeTheirs: [] }),
  );
  expect(merged.value).toEqual({ kind: 'merged', paths: ['child.txt'] });
  expect(await two.changedFiles(id, base, merged.snapshot)).toHaveLength(2);
});
