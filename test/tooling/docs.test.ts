import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const below = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path));

const pages = ['README.md', 'CHANGELOG.md', ...below('docs').filter((path) => path.endsWith('.md'))];

test.each(pages)('every link of %s leads to a file', (page) => {
  const targets = [...read(page).matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, target = '']) => target);
  const local = targets.filter((target) => !/^[a-z]+:/.test(target));

  expect(local.filter((target) => !existsSync(resolve(root, dirname(page), target)))).toEqual([]);
});

test('the README is an entrance of at most 150 lines', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(150);
});

test('every document that a comment names is there', () => {
  const names = new Set(pages.map((page) => basename(page)));
  const sources = [...below('src'), ...below('scripts')].filter((path) => /\.(ts|mjs|sql)$/.test(path));
  const cited = sources.flatMap((path) =>
    [...read(path).matchAll(/\b[a-z0-9][a-z0-9-]*\.md\b/g)].map(([name]) => ({ path, name })),
  );

  expect(cited.filter(({ name }) => !names.has(name))).toEqual([]);
});

test('every test that docs/guarantees.md names is there', () => {
  const named = [...read('docs/guarantees.md').matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path);

  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('every npm script that the README names is there', () => {
  const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts;
  const named = [...read('README.md').matchAll(/npm run ([a-z]+)/g)].map(([, name = '']) => name);

  expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
});
