import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  promises,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { applyPatch } from '../../src/tools/apply-patch';
import { listFiles } from '../../src/tools/list-files';
import { readFile } from '../../src/tools/read-file';
import { searchText } from '../../src/tools/search-text';
import { makeParent, openInside } from '../../src/tools/workspace-path';
import { writeFile } from '../../src/tools/write-file';
import { call, type ToolBench, toolBench } from './support';

let bench: ToolBench;
beforeEach(() => {
  bench = toolBench({ 'a.txt': 'one\n', 'dir/b.txt': 'two\n', '.git': 'gitdir: /elsewhere\n' });
  const link = (target: string, path: string) => symlinkSync(target, join(bench.root, path));
  link('../outside.txt', 'link-out');
  link('..', 'parent-link');
  link('/etc', 'etc');
  link('../not-yet', 'dangling');
  link('a.txt', 'link-in');
  link('loop', 'loop');
  link('.git', 'git-link');
  mkdirSync(join(bench.folder, 'root-twin'));
});
afterEach(() => bench.remove());

const escapes = [
  '../outside.txt', '/etc/passwd', 'dir/../../outside.txt', 'link-out', 'parent-link/outside.txt', 'etc/passwd', 'dangling',
  'dangling/x', 'loop', '.git', '.git/config', 'dir/../.git', '.GIT', '.git.', '.g\u200cit', 'git-link', 'dir/.git/hooks/x',
  'parent-link/root-twin/x', '../root-twin/x', 'a\0b', './/..//outside.txt', '..\\outside.txt',
]; // biome-ignore format: a list

test.each(escapes)('issue 3.7 read_file refuses %j', async (path) => {
  const result = await call(readFile, { path }, bench.context);
  expect(result).toMatchObject({ ok: false, failure: { class: expect.stringMatching(/policy_denied|tool_argument/) } });
  expect(JSON.stringify(result)).not.toContain('secret');
});

test.each(escapes)('issue 3.7 write_file refuses %j', async (path) => {
  expect(await call(writeFile, { path, content: 'owned' }, bench.context)).toMatchObject({
    ok: false,
    failure: { class: expect.stringMatching(/policy_denied|tool_argument/) },
  });
  expect(readFileSync(join(bench.folder, 'outside.txt'), 'utf8')).toBe('secret');
  expect(existsSync(join(bench.folder, 'not-yet'))).toBe(false);
  expect(existsSync(join(bench.folder, 'root-twin/x'))).toBe(false);
  expect(readFileSync(join(bench.root, '.git'), 'utf8')).toBe('gitdir: /elsewhere\n');
});

test.each(escapes.filter((path) => !/[\0\\]/.test(path)))(
  'issue 3.7 apply_patch makes, changes and deletes nothing at %j',
  async (path) => {
    for (const patch of [
      `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+owned\n`,
      `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-secret\n+owned\n`,
      `--- a/${path}\n+++ /dev/null\n@@ -1 +0,0 @@\n-secret\n\\ No newline at end of file\n`,
      `diff --git a/a.txt b/${path}\nsimilarity index 100%\nrename from a.txt\nrename to ${path}\n`,
    ]) {
      expect(await call(applyPatch, { patch }, bench.context)).toMatchObject({ ok: false });
    }
    expect(readFileSync(join(bench.folder, 'outside.txt'), 'utf8')).toBe('secret');
    expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('one\n');
    expect(existsSync(join(bench.folder, 'not-yet'))).toBe(false);
  },
);

test.each(['..', '/', 'parent-link', 'etc', '.git', 'parent-link/root-twin'])(
  'issue 3.7 list_files and search_text refuse %j',
  async (path) => {
    expect(await call(listFiles, { path }, bench.context)).toMatchObject({
      ok: false,
      failure: { class: 'policy_denied' },
    });
    expect(await call(searchText, { path, pattern: '.' }, bench.context)).toMatchObject({
      ok: false,
      failure: { class: 'policy_denied' },
    });
  },
);

test('issue 3.7 no listing and no search follows a link out or looks into git', async () => {
  const listed = await call(listFiles, {}, bench.context);
  expect(listed).toMatchObject({ ok: true });
  expect(JSON.stringify(listed)).not.toMatch(/passwd|outside|\.git/);
  expect(await call(searchText, { pattern: 'secret|root:|gitdir' }, bench.context)).toEqual({
    ok: true,
    output: 'No match.',
  });
});

test('issue 3.7 a link that stays inside is followed', async () => {
  expect(await call(readFile, { path: 'link-in' }, bench.context)).toEqual({ ok: true, output: 'one\n' });
  await call(writeFile, { path: 'link-in', content: 'two\n' }, bench.context);
  expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('two\n');
});

/** Somebody puts a link to the folder outside in place of `dir`, in the moment between the check of a path and its use. */
function swapsBefore(step: 'open' | 'mkdir'): void {
  const real = promises[step].bind(promises) as (...args: unknown[]) => unknown;
  jest.spyOn(promises, step).mockImplementation(((...args: unknown[]) => {
    renameSync(join(bench.root, 'dir'), join(bench.root, 'dir-away'));
    symlinkSync('../beside', join(bench.root, 'dir'));
    return real(...args);
  }) as never);
}

test.each([
  ['open' as const, openInside],
  ['mkdir' as const, makeParent],
])('issue 3.7 a folder that becomes a link out before %s leads nowhere', async (step, use) => {
  mkdirSync(join(bench.folder, 'beside'));
  writeFileSync(join(bench.folder, 'beside/b.txt'), 'secret');
  swapsBefore(step);
  try {
    await expect(use(bench.root, 'dir/b.txt')).rejects.toMatchObject({ failure: { code: 'PATH_OUTSIDE_WORKSPACE' } });
    expect(readlinkSync(join(bench.root, 'dir'))).toBe('../beside');
  } finally {
    jest.restoreAllMocks();
  }
});

test('a pipe or a device is no file, and reading it does not wait', async () => {
  execFileSync('mkfifo', [join(bench.root, 'pipe')]);
  expect(await call(readFile, { path: 'pipe' }, bench.context)).toMatchObject({
    ok: false,
    failure: { code: 'NOT_A_FILE' },
  });
  symlinkSync('/dev/zero', join(bench.root, 'zero'));
  expect(await call(readFile, { path: 'zero' }, bench.context)).toMatchObject({
    ok: false,
    failure: { code: 'PATH_OUTSIDE_WORKSPACE' },
  });
});
