import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkspacePort } from '../../src/activities/ports';
import { createWorkspaces } from '../../src/workspace/create-workspaces';
import { commitIn, gitIn, id, never, type Sandpit, sandpit, writeIn } from './support/sandpit';

let pit: Sandpit;
let workspaces: WorkspacePort;
const start = () => {
  workspaces = createWorkspaces({ dataDir: pit.data, sandbox: 'auto', env: process.env });
};
beforeEach(() => {
  pit = sandpit({ 'a.txt': 'one\n', 'src/b.txt': 'two\n', '.gitignore': 'build/\n' });
  start();
});
afterEach(() => pit.remove());

const prepare = () => workspaces.prepare(id, pit.spec, never);
const change = (snapshot: string, work: (root: string) => void) =>
  workspaces.exclusive(id, snapshot, never, async (root) => work(root));

test('E10 the first snapshot is the base commit, and work that changes nothing keeps it', async () => {
  const { base, snapshot } = await prepare();
  expect(base).toBe(gitIn(pit.repo, 'rev-parse', 'main'));
  expect(snapshot).toBe(base);
  expect(await change(snapshot, () => {})).toMatchObject({ snapshot: base });
});

test('R7.1 the same files are the same snapshot, however they came about', async () => {
  const { base } = await prepare();
  const edited = await change(base, (root) => writeFileSync(join(root, 'a.txt'), 'changed\n'));
  const undone = await change(edited.snapshot, (root) => writeFileSync(join(root, 'a.txt'), 'one\n'));
  const again = await change(undone.snapshot, (root) => writeFileSync(join(root, 'a.txt'), 'changed\n'));
  expect(edited.snapshot).not.toBe(base);
  expect(undone.snapshot).toBe(base);
  expect(again.snapshot).toBe(edited.snapshot);
});

test('E10 a snapshot holds new, changed and deleted files, and nothing ignored', async () => {
  const { base } = await prepare();
  const { snapshot } = await change(base, (root) => {
    writeIn(root, { 'new.txt': 'n', 'build/out.bin': 'x', 'a.txt': 'changed' });
    rmSync(join(root, 'src/b.txt'));
  });
  expect(await workspaces.changedFiles(id, base, snapshot)).toEqual([
    { path: 'a.txt', status: 'modified' },
    { path: 'new.txt', status: 'added' },
    { path: 'src/b.txt', status: 'deleted' },
  ]);
});

test('E10 what a try left half done is gone before the next one works', async () => {
  const { base } = await prepare();
  const failed = workspaces.exclusive(id, base, never, async (root) => {
    writeIn(root, { 'a.txt': 'half', 'junk/x': 'x', 'build/cache': 'x' });
    rmSync(join(root, 'src'), { recursive: true });
    throw new Error('died');
  });
  await expect(failed).rejects.toThrow('died');
  const seen = await workspaces.exclusive(id, base, never, async (root) => [
    readFileSync(join(root, 'a.txt'), 'utf8'),
    readFileSync(join(root, 'src/b.txt'), 'utf8'),
    existsSync(join(root, 'junk')),
    existsSync(join(root, 'build')),
  ]);
  expect(seen).toEqual({ value: ['one\n', 'two\n', false, false], snapshot: base });
});

test('E10 a try that goes back to an earlier snapshot finds that one, though the tree is at a later', async () => {
  const { base } = await prepare();
  const first = await change(base, (root) => writeIn(root, { 'a.txt': 'first' }));
  await change(first.snapshot, (root) => writeIn(root, { 'a.txt': 'second', 'late.txt': '' }));
  const seen = await workspaces.exclusive(id, first.snapshot, never, async (root) => [
    readFileSync(join(root, 'a.txt'), 'utf8'),
    existsSync(join(root, 'late.txt')),
  ]);
  expect(seen).toEqual({ value: ['first', false], snapshot: first.snapshot });
});

test('E10 a reader sees the snapshot, not what a write that gave up left behind', async () => {
  const { base } = await prepare();
  const { snapshot } = await change(base, (root) => writeIn(root, { 'a.txt': 'kept' }));
  const gaveUp = workspaces.exclusive(id, snapshot, never, async (root) => {
    writeIn(root, { 'a.txt': 'half', 'junk.txt': 'x', 'build/cache': 'x' });
    throw new Error('gave up');
  });
  await expect(gaveUp).rejects.toThrow('gave up');
  const root = await workspaces.root(id, snapshot, never);
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('kept');
  expect([existsSync(join(root, 'junk.txt')), existsSync(join(root, 'build'))]).toEqual([false, false]);
});

test('E10 a reader sees the snapshot that it names, though a write that nobody installed went further', async () => {
  const { base } = await prepare();
  await change(base, (root) => writeIn(root, { 'a.txt': 'not installed' }));
  const root = await workspaces.root(id, base, never);
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\n');
});

test('E10 a lock that a killed git left on the index stops nobody', async () => {
  const { base } = await prepare();
  const failed = workspaces.exclusive(id, base, never, async (root) => {
    writeIn(root, { 'a.txt': 'half', '../index.lock': '' });
    throw new Error('died');
  });
  await expect(failed).rejects.toThrow('died');
  const { snapshot } = await change(base, (root) => writeIn(root, { 'b.txt': 'whole' }));
  expect(await workspaces.changedFiles(id, base, snapshot)).toEqual([{ path: 'b.txt', status: 'added' }]);
});

describe('E10 a worktree that was removed by hand is made again from its snapshot', () => {
  const setup = ['mkdir -p node_modules; echo dep > node_modules/d', 'echo built > out.bin'];
  const seen = (snapshot: string) =>
    workspaces.exclusive(id, snapshot, never, async (root) => [
      readFileSync(join(root, 'a.txt'), 'utf8'),
      (await workspaces.exec(id, 'cat out.bin node_modules/d', { timeoutMs: 20_000, signal: never })).output,
    ]);

  test.each([
    'attempts/repair/1/w1/tree',
    'attempts/repair/1/w1',
    'attempts/repair/1',
    'attempts',
    'layers',
    'attempts and layers',
  ])('%s, and newer commits of the source are left aside', async (gone) => {
    const { base } = await workspaces.prepare(id, { ...pit.spec, setup }, never);
    const { snapshot } = await change(base, (root) => writeIn(root, { 'a.txt': 'kept' }));
    commitIn(pit.repo, { 'a.txt': 'newer\n' });
    for (const path of gone.split(' and ')) rmSync(join(pit.data, 'workspaces/acme', path), { recursive: true });
    const clean = await workspaces.execClean(id, snapshot, 'cat a.txt out.bin node_modules/d', {
      timeoutMs: 20_000,
      signal: never,
    });
    expect(clean.output).toBe('keptbuilt\ndep\n');
    expect(await seen(snapshot)).toEqual({ value: ['kept', 'built\ndep\n'], snapshot });
  });

  test('of mirrors, all but the base is lost with them: what was written is not there, and is not made up', async () => {
    const { base } = await workspaces.prepare(id, { ...pit.spec, setup }, never);
    const { snapshot } = await change(base, (root) => writeIn(root, { 'a.txt': 'kept' }));
    rmSync(join(pit.data, 'workspaces/acme/repositories'), { recursive: true });
    await expect(seen(snapshot)).rejects.toMatchObject({
      failure: { class: 'unrecoverable', code: 'SNAPSHOT_MISSING' },
    });
    expect((await seen(base)).value).toEqual(['one\n', 'built\ndep\n']);
  });
});

test('E10 tries on one worktree run one after another, in the order they came', async () => {
  const { base } = await prepare();
  const seen: string[] = [];
  const work = (name: string) =>
    workspaces.exclusive(id, base, never, async () => {
      seen.push(`${name} begins`);
      await workspaces.exec(id, 'sleep 0.05', { timeoutMs: 5_000, signal: never });
      seen.push(`${name} ends`);
    });
  await Promise.all([work('one'), work('two')]);
  expect(seen).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
});

test('E10 a new port on the same data goes on where the last one stood', async () => {
  const { base } = await prepare();
  const { snapshot } = await change(base, (root) => writeIn(root, { 'a.txt': 'kept' }));
  start();
  expect(await prepare()).toMatchObject({ base });
  expect(readFileSync(join(await workspaces.root(id, snapshot, never), 'a.txt'), 'utf8')).toBe('kept');
  expect((await change(snapshot, () => {})).snapshot).toBe(snapshot);
});

test('the source is left as it is: its checkout, its uncommitted work, its index, its branches', async () => {
  writeIn(pit.repo, { 'a.txt': 'uncommitted', 'draft.txt': 'mine' });
  const before = [
    gitIn(pit.repo, 'status', '--porcelain'),
    gitIn(pit.repo, 'for-each-ref'),
    gitIn(pit.repo, 'worktree', 'list'),
  ];
  const { base } = await prepare();
  await change(base, (root) => {
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\n');
    expect(existsSync(join(root, 'draft.txt'))).toBe(false);
    writeIn(root, { 'a.txt': 'agent' });
  });
  expect([
    gitIn(pit.repo, 'status', '--porcelain'),
    gitIn(pit.repo, 'for-each-ref'),
    gitIn(pit.repo, 'worktree', 'list'),
  ]).toEqual(before);
});

test('an attempt starts at the newest commit of its ref, and keeps that base when it is prepared again', async () => {
  const first = await prepare();
  const newer = commitIn(pit.repo, { 'a.txt': 'newer\n' });
  expect((await prepare()).base).toBe(first.base);
  const second = await workspaces.prepare({ ...id, attempt: 'repair/2' }, pit.spec, never);
  expect(second.base).toBe(newer);
});

test.each(['HEAD', 'HEAD~1', 'v1', 'refs/heads/main'])('ref %s is found', async (ref) => {
  gitIn(pit.repo, 'tag', 'v1');
  commitIn(pit.repo, { 'a.txt': 'two\n' });
  const { base } = await workspaces.prepare(id, { ...pit.spec, ref }, never);
  expect(base).toBe(gitIn(pit.repo, 'rev-parse', ref));
});

test('a commit by its id is found, and git settings, hooks and odd names of the source disturb nothing', async () => {
  const hook = join(pit.repo, '.git/hooks/post-checkout');
  writeIn(pit.repo, { '.git/hooks/post-checkout': `#!/bin/sh\ntouch ${pit.folder}/hooked\n` });
  gitIn(pit.folder, 'config', '--file', `${pit.repo}/.git/config`, 'core.autocrlf', 'true');
  expect(existsSync(hook)).toBe(true);
  const commit = commitIn(pit.repo, { 'crlf.txt': 'a\r\nb\n', 'naïve name\n.txt': 'x', '-dash': 'y' });
  const { base } = await workspaces.prepare(id, { ...pit.spec, ref: commit }, never);
  expect(base).toBe(commit);
  const { snapshot } = await change(base, (root) => writeIn(root, { '-dash': 'z', 'naïve name\n.txt': 'q' }));
  expect(await workspaces.changedFiles(id, base, snapshot)).toEqual([
    { path: '-dash', status: 'modified' },
    { path: 'naïve name\n.txt', status: 'modified' },
  ]);
  expect(existsSync(join(pit.folder, 'hooked'))).toBe(false);
});

test('commit makes a branch in the local source, once, and leaves its checkout alone', async () => {
  const { base } = await prepare();
  const { snapshot } = await change(base, (root) => writeIn(root, { 'a.txt': 'fixed\n' }));
  const commit = (await workspaces.commit(id, snapshot, 'holdfast/repair-1', 'Repair a\n\nBecause.')) ?? '';
  expect(gitIn(pit.repo, 'rev-parse', 'holdfast/repair-1')).toBe(commit);
  expect(gitIn(pit.repo, 'show', 'holdfast/repair-1:a.txt')).toBe('fixed');
  expect(gitIn(pit.repo, 'log', '-1', '--format=%P %s', commit)).toBe(`${base} Repair a`);
  expect(gitIn(pit.repo, 'status', '--porcelain')).toBe('');
  expect(await workspaces.commit(id, snapshot, 'holdfast/repair-1', 'Repair a\n\nBecause.')).toBe(commit);
});

test('commit of what holds the files of the base makes no branch', async () => {
  const { base } = await prepare();
  const { snapshot: changed } = await change(base, (root) => writeIn(root, { 'a.txt': 'fixed\n' }));
  const { snapshot } = await change(changed, (root) => writeIn(root, { 'a.txt': 'one\n' }));
  expect(await workspaces.changedFiles(id, base, snapshot)).toEqual([]);
  expect(await workspaces.commit(id, snapshot, 'holdfast/none-1', 'Nothing')).toBeUndefined();
  expect(await workspaces.commit(id, base, 'holdfast/none-1', 'Nothing')).toBeUndefined();
  expect(gitIn(pit.repo, 'branch', '--list', 'holdfast/none-1')).toBe('');
});

test('commit never moves a branch that is somebody’s', async () => {
  const { base } = await prepare();
  const { snapshot } = await change(base, (root) => writeIn(root, { 'a.txt': 'fixed\n' }));
  gitIn(pit.repo, 'branch', 'taken');
  await expect(workspaces.commit(id, snapshot, 'taken', 'm')).rejects.toMatchObject({
    failure: { code: 'BRANCH_EXISTS' },
  });
  await expect(workspaces.commit(id, snapshot, 'main', 'm')).rejects.toMatchObject({
    failure: { code: 'BRANCH_EXISTS' },
  });
  await expect(workspaces.commit(id, snapshot, 'a..b', 'm')).rejects.toMatchObject({ failure: { code: 'BAD_BRANCH' } });
  expect(gitIn(pit.repo, 'rev-parse', 'taken')).toBe(base);
});

test('a file: URL is a local source: its branch is made there', async () => {
  const { base } = await workspaces.prepare(id, { ...pit.spec, git: `file://${pit.repo}` }, never);
  const { snapshot } = await change(base, (root) => writeIn(root, { 'a.txt': 'fixed\n' }));
  await workspaces.commit(id, snapshot, 'made', 'm');
  expect(gitIn(pit.repo, 'show', 'made:a.txt')).toBe('fixed');
});

describe('bad sources say what is wrong and what to do', () => {
  const failing = async (spec: object) =>
    workspaces.prepare(id, { ...pit.spec, ...spec }, never).catch((error: unknown) => error);

  test('no repository', async () => {
    writeIn(pit.folder, { 'plain/x.txt': 'x' });
    expect(await failing({ git: join(pit.folder, 'plain') })).toMatchObject({
      name: 'WorkspaceError',
      failure: { class: 'environment_drift', code: 'NOT_A_REPOSITORY' },
      suggestedAction: expect.stringContaining('git init'),
    });
  });
  test('no folder', async () => {
    expect(await failing({ git: join(pit.folder, 'nowhere') })).toMatchObject({
      failure: { code: 'NOT_A_REPOSITORY' },
      message: expect.stringContaining('no such folder'),
    });
  });
  test('an option instead of a repository', async () => {
    expect(await failing({ git: '--upload-pack=touch /tmp/x' })).toMatchObject({
      failure: { code: 'NOT_A_REPOSITORY' },
    });
  });
  test('a URL that nobody answers, without its password', async () => {
    const error = await failing({ git: 'http://me:hunter2@127.0.0.1:9/x.git' });
    expect(error).toMatchObject({ failure: { code: 'CLONE_FAILED' } });
    expect(JSON.stringify([error, String(error)])).not.toContain('hunter2');
  });
  test('an unknown ref, with the branches that there are', async () => {
    expect(await failing({ ref: 'mian' })).toMatchObject({
      failure: { code: 'UNKNOWN_REF' },
      suggestedAction: expect.stringContaining('main'),
    });
    expect(await failing({ ref: '--all' })).toMatchObject({ failure: { code: 'UNKNOWN_REF' } });
  });
  test('a repository without a commit', async () => {
    const empty = join(pit.folder, 'empty');
    gitIn(pit.folder, 'init', '-q', empty);
    expect(await failing({ git: empty })).toMatchObject({ failure: { code: 'EMPTY_REPOSITORY' } });
  });
  test('an attempt that was never prepared', async () => {
    await expect(workspaces.root(id, 'any', never)).rejects.toMatchObject({ failure: { code: 'WORKSPACE_MISSING' } });
  });
});

test('E10 a snapshot that is not there is an error, not an empty worktree', async () => {
  await prepare();
  await expect(change('0123456789012345678901234567890123456789', () => {})).rejects.toMatchObject({
    failure: { code: 'SNAPSHOT_MISSING' },
  });
});

test('a repository inside the worktree is refused, and the next try is clean of it', async () => {
  const { base } = await prepare();
  for (const commit of [false, true]) {
    const nested = change(base, (root) => {
      gitIn(root, 'init', '-q', 'inner');
      if (commit) commitIn(join(root, 'inner'), { x: 'x' });
    });
    await expect(nested).rejects.toMatchObject({
      failure: { class: 'state_conflict', code: 'NESTED_REPOSITORY' },
      message: expect.stringContaining('"inner"'),
    });
    expect((await change(base, (root) => expect(existsSync(join(root, 'inner'))).toBe(false))).snapshot).toBe(base);
  }
});

test('adversarial: a source that leads out of what is allowed is neither read nor written, also where it came to do so later', async () => {
  const sources = [pit.repo];
  const strict = createWorkspaces({ dataDir: pit.data, sandbox: 'auto', env: process.env, sources });
  const { base } = await strict.prepare(id, pit.spec, never);
  const refused = { failure: { class: 'environment_drift', code: 'SOURCE_NOT_ALLOWED' } };

  const outside = join(pit.folder, 'outside');
  renameSync(join(pit.repo, '.git'), outside);
  writeIn(pit.repo, { '.git': `gitdir: ${outside}\n` });
  await expect(strict.commit(id, base, 'mine', 'message')).rejects.toMatchObject(refused);
  await expect(strict.prepare({ ...id, attempt: 'repair/2' }, pit.spec, never)).rejects.toMatchObject(refused);
  expect(gitIn(pit.repo, 'branch', '--format=%(refname:short)')).toBe('main');
});
