import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { applyPatch } from '../../src/tools/apply-patch';
import { call, output, type ToolBench, toolBench } from './support';

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');
let bench: ToolBench;
beforeEach(() => {
  bench = toolBench({ 'a.txt': numbered(20), 'b.txt': 'b\n', 'dir/c.txt': 'c\n' });
});
afterEach(() => bench.remove());
const apply = (patch: string) => call(applyPatch, { patch }, bench.context);
const text = (path: string) => readFileSync(join(bench.root, path), 'utf8');

test('changes several files, makes one, deletes one with its empty folder', async () => {
  const patch = [
    createTwoFilesPatch('a/a.txt', 'b/a.txt', numbered(20), numbered(20).replace('line 7\n', 'LINE 7\n')),
    '--- /dev/null\n+++ b/new/n.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n',
    '--- a/dir/c.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-c\n',
  ].join('');
  expect(await apply(patch)).toEqual({ ok: true, output: 'modified a.txt\ncreated new/n.txt\ndeleted dir/c.txt' });
  expect(text('a.txt')).toContain('LINE 7\nline 8');
  expect(text('new/n.txt')).toBe('one\ntwo\n');
  expect(existsSync(join(bench.root, 'dir'))).toBe(false);
});

test('renames by git headers, with and without a change, and keeps the mode', async () => {
  chmodSync(join(bench.root, 'b.txt'), 0o755);
  const patch = `diff --git a/b.txt b/sub/d.txt
similarity index 50%
rename from b.txt
rename to sub/d.txt
--- a/b.txt
+++ b/sub/d.txt
@@ -1 +1 @@
-b
+d
diff --git a/dir/c.txt b/e.txt
similarity index 100%
rename from dir/c.txt
rename to e.txt
`;
  expect(await apply(patch)).toMatchObject({ ok: true });
  expect(text('sub/d.txt')).toBe('d\n');
  expect(statSync(join(bench.root, 'sub/d.txt')).mode & 0o777).toBe(0o755);
  expect(text('e.txt')).toBe('c\n');
  expect(existsSync(join(bench.root, 'b.txt'))).toBe(false);
});

test('a new file may be made executable', async () => {
  await apply(
    'diff --git a/run.sh b/run.sh\nnew file mode 100755\n--- /dev/null\n+++ b/run.sh\n@@ -0,0 +1 @@\n+true\n',
  );
  expect(statSync(join(bench.root, 'run.sh')).mode & 0o111).not.toBe(0);
});

test('an empty file is made and deleted by git headers alone', async () => {
  await apply('diff --git a/e b/e\nnew file mode 100644\nindex 0000000..e69de29\n');
  expect(text('e')).toBe('');
  await apply('diff --git a/e b/e\ndeleted file mode 100644\nindex e69de29..0000000\n');
  expect(existsSync(join(bench.root, 'e'))).toBe(false);
});

test('R8.6 a stale patch is PATCH_CONFLICT, shows what is there, and changes nothing at all', async () => {
  const patch = `--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-b\n+changed\n${createTwoFilesPatch('a/a.txt', 'b/a.txt', numbered(20).replace('line 9', 'line nine'), 'x')}`;
  const result = await apply(patch);
  expect(result).toMatchObject({
    ok: false,
    failure: { class: 'state_conflict', code: 'PATCH_CONFLICT' },
    error: {
      code: 'PATCH_CONFLICT',
      retryable: false,
      suggested_action: expect.stringContaining('Read the file again'),
    },
  });
  expect(output(result)).toContain('line 1');
  expect(text('b.txt')).toBe('b\n');
  expect(text('a.txt')).toBe(numbered(20));
});

test('one wrong line of context is enough for a conflict: there is no fuzz', async () => {
  expect(
    await apply('--- a/a.txt\n+++ b/a.txt\n@@ -4,3 +4,3 @@\n line 4\n-line 5\n+LINE 5\n line SIX\n'),
  ).toMatchObject({ failure: { code: 'PATCH_CONFLICT' } });
});

test('a hunk that moved as a whole still fits exactly', async () => {
  writeFileSync(join(bench.root, 'a.txt'), `inserted\n${numbered(20)}`);
  expect(await apply('--- a/a.txt\n+++ b/a.txt\n@@ -4,3 +4,3 @@\n line 4\n-line 5\n+LINE 5\n line 6\n')).toMatchObject({
    ok: true,
  });
  expect(text('a.txt')).toContain('line 4\nLINE 5\nline 6');
});

test.each([
  ['making a file that is there', '--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1 @@\n+x\n', 'PATCH_CONFLICT'],
  ['changing a file that is not there', '--- a/none\n+++ b/none\n@@ -1 +1 @@\n-x\n+y\n', 'FILE_NOT_FOUND'],
  ['deleting a file that holds more', '--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-line 1\n', 'PATCH_CONFLICT'],
  [
    'renaming onto a file',
    'diff --git a/a.txt b/b.txt\nsimilarity index 100%\nrename from a.txt\nrename to b.txt\n',
    'PATCH_CONFLICT',
  ],
  ['wrong line counts', '--- a/b.txt\n+++ b/b.txt\n@@ -1,7 +1,9 @@\n-b\n+c\n', 'INVALID_PATCH'],
  ['another format', '*** Begin Patch\n*** Update File: b.txt\n-b\n+c\n*** End Patch\n', 'INVALID_PATCH'],
  ['words', 'please change b to c', 'INVALID_PATCH'],
  [
    'a binary patch',
    'diff --git a/x.png b/x.png\nindex 1..2 100644\nGIT binary patch\nliteral 1\nA\n',
    'INVALID_PATCH',
  ],
  [
    'a link',
    'diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd\n\\ No newline at end of file\n',
    'INVALID_PATCH',
  ],
])('%s is refused, and nothing changes', async (_, patch, code) => {
  expect(await apply(patch)).toMatchObject({ ok: false, error: { code } });
  expect(text('a.txt')).toBe(numbered(20));
  expect(text('b.txt')).toBe('b\n');
});

test('two parts for one file see each other', async () => {
  const part = (from: string, to: string) => `--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-${from}\n+${to}\n`;
  expect(await apply(part('b', 'c') + part('c', 'd'))).toMatchObject({ ok: true });
  expect(text('b.txt')).toBe('d\n');
});

test('names without a/ and b/, line ends of the file, and a missing last newline are kept', async () => {
  writeFileSync(join(bench.root, 'crlf.txt'), 'one\r\ntwo\r\n');
  expect(await apply('--- crlf.txt\n+++ crlf.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n')).toMatchObject({ ok: true });
  expect(text('crlf.txt')).toBe('one\r\n2\r\n');
  writeFileSync(join(bench.root, 'open.txt'), 'x');
  expect(
    await apply(
      '--- a/open.txt\n+++ b/open.txt\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+y\n\\ No newline at end of file\n',
    ),
  ).toMatchObject({ ok: true });
  expect(text('open.txt')).toBe('y');
});

test('a file that is no UTF-8 is left alone, and so is a link', async () => {
  writeFileSync(join(bench.root, 'latin'), Buffer.from([0xe9, 0x0a, 0x61, 0x0a]));
  expect(await apply('--- a/latin\n+++ b/latin\n@@ -2 +2 @@\n-a\n+b\n')).toMatchObject({
    error: { code: 'BINARY_FILE' },
  });
  symlinkSync('b.txt', join(bench.root, 'ln'));
  expect(await apply('--- a/ln\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n')).toMatchObject({
    error: { code: 'PATCH_CONFLICT' },
  });
  expect(text('b.txt')).toBe('b\n');
});

test('a hunk of many equal lines on a file of many more costs what both are long', async () => {
  writeFileSync(join(bench.root, 'big.txt'), 'a\n'.repeat(200_000));
  const count = 60_000;
  const patch = `--- a/big.txt\n+++ b/big.txt\n@@ -1,${count + 1} +1,${count} @@\n${' a\n'.repeat(count)}-b\n`;
  expect(await apply(patch)).toMatchObject({ error: { code: 'PATCH_CONFLICT' } });
});

test('R8.6 a patch that is too much work is refused before it is done, whatever it is made of', async () => {
  writeFileSync(join(bench.root, 'big.txt'), 'a\n'.repeat(200_000));
  const head = '--- a/big.txt\n+++ b/big.txt\n';
  const many = `${head}@@ -1 +1 @@\n-a\n+a\n`.repeat(20_000);
  const astray = `${head}${Array.from({ length: 20_000 }, (_, index) => `@@ -${(index * 9_000) % 190_000},2 +1,2 @@\n a\n-a\n+b\n`).join('')}`;
  expect(await apply(many)).toMatchObject({ error: { code: 'PATCH_TOO_LARGE' } });
  expect(await apply(astray)).toMatchObject({ ok: false });
  writeFileSync(join(bench.root, 'huge.txt'), 'a\n'.repeat(3_000_000));
  expect(await apply('--- a/huge.txt\n+++ b/huge.txt\n@@ -1 +1 @@\n-a\n+b\n')).toMatchObject({
    error: { code: 'PATCH_TOO_LARGE', message: expect.stringContaining('6000000 bytes') },
  });
});
