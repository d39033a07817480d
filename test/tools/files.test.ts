import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listFiles } from '../../src/tools/list-files';
import { readArtifact } from '../../src/tools/read-artifact';
import { readFile } from '../../src/tools/read-file';
import { searchWith } from '../../src/tools/run-search';
import { searchText } from '../../src/tools/search-text';
import { writeFile } from '../../src/tools/write-file';
import { call, output, type ToolBench, toolBench } from './support';

let bench: ToolBench;
beforeEach(() => {
  bench = toolBench({
    'a.txt': 'one\ntwo\nthree\n',
    'src/deep/x.ts': 'export const needle = 1;\n',
    'src/y.js': 'no\n',
    '.gitignore': 'build/\n*.log\n!keep.log\n',
    'build/out.txt': 'needle\n',
    'x.log': 'needle\n',
    'keep.log': 'kept\n',
    'src/.gitignore': 'y.js\n',
    'node_modules/m/index.js': 'needle\n',
    '.hidden': 'needle\n',
  });
});
afterEach(() => bench.remove());

describe('read_file', () => {
  const read = async (args: object) => output(await call(readFile, args, bench.context));

  test('gives a file as it is', async () => {
    expect(await read({ path: 'a.txt' })).toBe('one\ntwo\nthree\n');
    writeFileSync(join(bench.root, 'no-newline'), 'x');
    expect(await read({ path: 'no-newline' })).toBe('x');
    writeFileSync(join(bench.root, 'empty'), '');
    expect(await read({ path: 'empty' })).toBe('');
  });
  test('gives lines by number, and says how to read on', async () => {
    expect(await read({ path: 'a.txt', offset: 2, limit: 1 })).toBe('two\n[lines 2–2 of 3; read on with offset 3]');
    expect(await read({ path: 'a.txt', offset: 3 })).toBe('three\n');
    expect(await read({ path: 'a.txt', offset: 4 })).toMatch(/^OFFSET_BEYOND_END/);
  });
  test('a long file comes whole in pages under the size from which outputs are cut', async () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index + 1}`);
    writeFileSync(join(bench.root, 'long'), `${lines.join('\n')}\n`);
    const seen: string[] = [];
    for (let offset: number | undefined = 1; offset !== undefined; ) {
      const page = await read({ path: 'long', offset });
      expect(Buffer.byteLength(page)).toBeLessThan(16 * 1024);
      const next = /\n\[lines .*read on with offset (\d+)\]$/.exec(page);
      seen.push(...page.slice(0, next ? next.index : -1).split('\n'));
      offset = next ? Number(next[1]) : undefined;
    }
    expect(seen).toEqual(lines);
  });
  test('a file of line ends alone is counted without a text for each', async () => {
    writeFileSync(join(bench.root, 'ends'), '\n'.repeat(16 * 1024 ** 2));
    expect(await read({ path: 'ends', offset: 16_000_000, limit: 2 })).toBe(
      '\n\n[lines 16000000–16000001 of 16777216; read on with offset 16000002]',
    );
    expect(await read({ path: 'ends', offset: 16_777_217 })).toMatch(/^OFFSET_BEYOND_END: .* 16777216 lines/);
  });
  test('one endless line is cut and says so', async () => {
    writeFileSync(join(bench.root, 'min.js'), 'x'.repeat(1_000_000));
    expect(await read({ path: 'min.js' })).toMatch(/^x{15360} \[… line cut, 1000000 characters\]$/);
  });
  test('a binary file, a huge file, a folder and nothing each say what they are', async () => {
    writeFileSync(join(bench.root, 'bin'), Buffer.from([1, 0, 2]));
    writeFileSync(join(bench.root, 'huge'), Buffer.alloc(17 * 1024 ** 2, 'x'));
    expect(await read({ path: 'bin' })).toMatch(/^BINARY_FILE/);
    expect(await read({ path: 'huge' })).toMatch(/^FILE_TOO_LARGE/);
    expect(await read({ path: 'src' })).toMatch(/^IS_A_DIRECTORY/);
    expect(await read({ path: 'nothing' })).toMatch(/^FILE_NOT_FOUND/);
    expect(await read({ path: 'a.txt/x' })).toMatch(/^NOT_A_DIRECTORY/);
  });
});

describe('write_file', () => {
  test('makes folders, replaces whole, keeps the mode, leaves no temporary file', async () => {
    expect(output(await call(writeFile, { path: 'new/deep/f.txt', content: 'ü\n' }, bench.context))).toBe(
      'created new/deep/f.txt (3 bytes)',
    );
    chmodSync(join(bench.root, 'a.txt'), 0o755);
    expect(output(await call(writeFile, { path: 'a.txt', content: 'short' }, bench.context))).toBe(
      'replaced a.txt (5 bytes)',
    );
    expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('short');
    expect(statSync(join(bench.root, 'a.txt')).mode & 0o777).toBe(0o755);
    expect(readdirSync(bench.root).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
  test('a folder is not replaced, and a file is no folder', async () => {
    expect(output(await call(writeFile, { path: 'src', content: '' }, bench.context))).toMatch(/^IS_A_DIRECTORY/);
    expect(output(await call(writeFile, { path: 'a.txt/b', content: '' }, bench.context))).toMatch(/^NOT_A_DIRECTORY/);
    expect(existsSync(join(bench.root, 'src/y.js'))).toBe(true);
  });
});

describe('list_files', () => {
  const list = async (args: object) => output(await call(listFiles, args, bench.context)).split('\n');

  test('lists in order what .gitignore files let through', async () => {
    expect(await list({})).toEqual(['.gitignore', '.hidden', 'a.txt', 'keep.log', 'src/.gitignore', 'src/deep/x.ts']);
    expect(await list({ path: 'src' })).toEqual(['src/.gitignore', 'src/deep/x.ts']);
    expect(await list({ path: 'src/deep' })).toEqual(['src/deep/x.ts']);
  });
  test('takes a glob over paths from the workspace', async () => {
    expect(await list({ glob: '**/*.ts' })).toEqual(['src/deep/x.ts']);
    expect(await list({ path: 'src', glob: '*.md' })).toEqual(['No file.']);
  });
  test('is bounded, and says how many it left out', async () => {
    for (let index = 0; index < 450; index += 1) writeFileSync(join(bench.root, `f${index}`), '');
    const listed = await list({ glob: 'f*' });
    expect(listed).toHaveLength(401);
    expect(listed.at(-1)).toContain('50 more');
  });
  test.each([
    ['of the glob', 'x', `${'*a'.repeat(12)}*b`],
    ['of a rule file', `${'*a'.repeat(12)}*b`, '**'],
  ])('patterns %s that others never come back from end', async (_, rule, glob) => {
    for (let index = 0; index < 20; index += 1) writeFileSync(join(bench.root, `${'a'.repeat(150)}${index}`), '');
    writeFileSync(join(bench.root, '.gitignore'), `${rule}\n`);
    expect(await list({ glob })).toBeDefined();
  });
  test('others have their turn while many names and rules are looked at, and a call that is aborted ends', async () => {
    const rules = Array.from({ length: 600 }, (_, index) => `${'*a*b'.repeat(20)}${index}`);
    writeFileSync(join(bench.root, '.gitignore'), rules.join('\n'));
    for (let index = 0; index < 300; index += 1) writeFileSync(join(bench.root, `${'ab'.repeat(100)}${index}`), '');
    const controller = new AbortController();
    const listing = call(listFiles, {}, { ...bench.context, signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 50);
    await expect(listing).rejects.toThrow('enough');
  });
  test('a glob that is not understood says what is', async () => {
    expect(await list({ glob: '!(a)' })).toEqual([expect.stringMatching(/^BAD_GLOB: .*not understood/)]);
    expect(await list({ glob: '[a' })).toEqual([expect.stringMatching(/^BAD_GLOB: .*not closed/)]);
  });
  test('reads rules as git does', async () => {
    const rules = [
      '# no',
      '*.tmp ',
      '/top',
      'deep/x.ts',
      'sub/',
      '!keep.tmp',
      'a/**',
      '!a/kept',
      'w\\ ',
      '{b}',
      '[bad',
    ];
    writeFileSync(join(bench.root, '.gitignore'), rules.join('\r\n'));
    for (const path of ['q.tmp', 'keep.tmp', 'top', 'sub', 'w ', 'w', '{b}', 'b'])
      writeFileSync(join(bench.root, path), '');
    for (const path of ['n/top', 'n/sub/in', 'a/kept', 'a/gone']) {
      mkdirSync(dirname(join(bench.root, path)), { recursive: true });
      writeFileSync(join(bench.root, path), '');
    }
    spawnSync('git', ['init', '-q', '--bare', join(bench.folder, 'git')]);
    const git = spawnSync(
      'git',
      ['-c', 'core.excludesFile=/dev/null', 'ls-files', '-o', '--exclude-per-directory=.gitignore'],
      {
        cwd: bench.root,
        env: { ...process.env, GIT_DIR: join(bench.folder, 'git'), GIT_WORK_TREE: bench.root },
        encoding: 'utf8',
      },
    );
    const seen = git.stdout.split('\n').filter((path) => path !== '' && !path.startsWith('node_modules/'));
    expect((await list({})).sort()).toEqual(seen.sort());
    expect(seen).toContain('a/kept');
  });
  test('what is not there is said', async () => {
    expect(await list({ path: 'nowhere' })).toEqual([expect.stringMatching(/^FILE_NOT_FOUND/)]);
    expect(await list({ path: 'a.txt' })).toEqual(['a.txt is a file of 14 bytes.']);
  });
});

describe('search_text', () => {
  const search = async (args: object) => output(await call(searchText, args, bench.context));

  test('finds by regular expression in what .gitignore files let through', async () => {
    expect((await search({ pattern: 'need.e' })).split('\n')).toEqual([
      '.hidden:1:needle',
      'src/deep/x.ts:1:export const needle = 1;',
    ]);
    expect(await search({ pattern: 'needle', path: 'src' })).toBe('src/deep/x.ts:1:export const needle = 1;');
    expect(await search({ pattern: 'needle', path: 'src/deep/x.ts' })).toBe('src/deep/x.ts:1:export const needle = 1;');
    expect(await search({ pattern: 'nowhere' })).toBe('No match.');
  });
  test('a pattern that begins with a dash is a pattern', async () => {
    expect(await search({ pattern: '--files' })).toBe('No match.');
  });
  test('a bad pattern and a missing path are the model’s to correct', async () => {
    expect(await search({ pattern: '(' })).toMatch(/^BAD_PATTERN/);
    expect(await search({ pattern: 'x', path: 'nowhere' })).toMatch(/^FILE_NOT_FOUND/);
  });
  test('is bounded in matches and in the length of a line', async () => {
    writeFileSync(join(bench.root, 'many'), 'needle\n'.repeat(5_000));
    writeFileSync(join(bench.root, 'a-long'), `needle${'x'.repeat(100_000)}`);
    const found = await search({ pattern: 'needle' });
    expect(found.length).toBeLessThan(16_000);
    expect(found).toContain('there are more matches');
  });
  test('a pattern that would run for ever elsewhere ends', async () => {
    writeFileSync(join(bench.root, 'evil'), `${'a'.repeat(5_000)}!\n`);
    expect(await search({ pattern: '^(a+)+$' })).toBe('No match.');
  });
  test.each(['ripgrep', 'git'] as const)('%s: one line without end is not held whole', async (program) => {
    writeFileSync(join(bench.root, 'line'), Buffer.alloc(40 * 1024 ** 2, 'needle '));
    const { signal } = bench.context;
    const found = await searchWith(program, {
      root: bench.root,
      pattern: 'needle',
      path: 'line',
      maxMatches: 10,
      timeoutMs: 20_000,
      signal,
    });
    expect(found).toMatchObject({ kind: 'found' });
    expect(JSON.stringify(found).length).toBeLessThan(9 * 1024 ** 2);
  });
  test.each(['ripgrep', 'git'] as const)('%s finds the same', async (program) => {
    const { signal } = bench.context;
    const found = await searchWith(program, {
      root: bench.root,
      pattern: 'need[l]e',
      path: '.',
      maxMatches: 10,
      timeoutMs: 10_000,
      signal,
    });
    expect(found).toEqual({
      kind: 'found',
      lines: ['.hidden:1:needle', 'src/deep/x.ts:1:export const needle = 1;'],
      more: false,
    });
    expect(
      await searchWith(program, {
        root: bench.root,
        pattern: '(',
        path: '.',
        maxMatches: 10,
        timeoutMs: 10_000,
        signal,
      }),
    ).toMatchObject({ kind: 'bad_pattern', program });
  });
});

describe('read_artifact', () => {
  test('pages join to the whole, and end between characters', async () => {
    const body = Buffer.from('zwölf €uro '.repeat(3_000));
    const hash = await bench.context.artifacts.put('acme', body);
    const seen: string[] = [];
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const page = output(await call(readArtifact, { hash, offset }, bench.context));
      expect(page).not.toContain('\uFFFD');
      const next = /\n\[bytes .*read on with offset (\d+)\]$/.exec(page);
      seen.push(next ? page.slice(0, next.index) : page);
      offset = next ? Number(next[1]) : undefined;
    }
    expect(seen.join('')).toBe(body.toString());
    expect(seen.length).toBeGreaterThan(1);
  });
  test('another tenant’s artifact is not there', async () => {
    const hash = await bench.context.artifacts.put('globex', Buffer.from('theirs'));
    expect(output(await call(readArtifact, { hash }, bench.context))).toMatch(/^ARTIFACT_NOT_FOUND/);
  });
});
