import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');
const below = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path));
const sources = [...below('src'), ...below('scripts')].filter((path) => /\.(ts|mjs|sql)$/.test(path));
const linesOf = (path: string) => readFileSync(join(root, path), 'utf8').split('\n');

test('nothing is left to be done later', () => {
  const found = sources.flatMap((path) =>
    linesOf(path)
      .filter((line) => /\b(TODO|FIXME|XXX|HACK)\b/.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );

  expect(found).toEqual([]);
});

test('no source silences the compiler or the linter', () => {
  const found = sources.flatMap((path) =>
    linesOf(path)
      .filter((line) => /@ts-(ignore|expect-error|nocheck)|biome-ignore lint/.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );

  expect(found).toEqual([]);
});

test('files are small: half of the sources have at most 60 lines, nine in ten at most 200', () => {
  const lengths = sources
    .filter((path) => path.endsWith('.ts'))
    .map((path) => linesOf(path).length)
    .sort((a, b) => a - b);
  const share = (part: number) => lengths[Math.floor(lengths.length * part)] ?? 0;

  expect(share(0.5)).toBeLessThanOrEqual(60);
  expect(share(0.9)).toBeLessThanOrEqual(200);
});

test('what tests write in the temporary folder goes through one place, which removes it', () => {
  const own = [
    'test/support/temp-folder.ts',
    'test/support/shared-stack.ts',
    'test/tooling/style.test.ts',
    'test/e2e/support/in-browser.ts', // the picture of a failure stays, for a person to look at
  ];
  const others = below('test').filter((path) => /\.(ts|cjs)$/.test(path) && !own.includes(path));
  expect(others.filter((path) => /\btmpdir\b/.test(linesOf(path).join('\n')))).toEqual([]);
});
