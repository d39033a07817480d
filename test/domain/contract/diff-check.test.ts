import type { DiffCriterion } from '../../../src/domain/contract/contract';
import { checkDiff, problemInWords } from '../../../src/domain/contract/diff-check';

const diff = (rules: Partial<DiffCriterion> = {}): DiffCriterion => ({ id: 'd', check: 'diff', ...rules });

test('R3.3 an empty diff is never the expected one', () => {
  expect(checkDiff(diff(), [])).toEqual([{ kind: 'nothing_changed' }]);
  expect(checkDiff(diff({ only: ['**'] }), [])).toEqual([{ kind: 'nothing_changed' }]);
});

test('R3.3 without globs any change will do', () => {
  expect(checkDiff(diff(), ['a'])).toEqual([]);
});

test('only: every changed path is inside', () => {
  const criterion = diff({ only: ['src/**', '*.md'] });
  expect(checkDiff(criterion, ['src/deep/a.ts', 'README.md'])).toEqual([]);
  expect(checkDiff(criterion, ['src/a.ts', 'test/a.ts', 'docs/x.md'])).toEqual([
    { kind: 'outside', paths: ['test/a.ts', 'docs/x.md'] },
  ]);
});

test('mustChange: each glob is touched', () => {
  const criterion = diff({ mustChange: ['src/**/*.ts', 'CHANGELOG.md'] });
  expect(checkDiff(criterion, ['src/a.ts', 'CHANGELOG.md'])).toEqual([]);
  expect(checkDiff(criterion, ['src/a.ts'])).toEqual([{ kind: 'untouched', glob: 'CHANGELOG.md' }]);
});

test('mustNotChange: no changed path is inside', () => {
  expect(
    checkDiff(diff({ mustNotChange: ['test/**', 'package.json'] }), ['src/a.ts', 'test/b.ts', 'package.json']),
  ).toEqual([{ kind: 'protected', paths: ['test/b.ts', 'package.json'] }]);
});

test('every rule that is broken is told, not only the first', () => {
  const criterion = diff({ only: ['src/**'], mustChange: ['src/b.ts'], mustNotChange: ['test/**'] });
  expect(checkDiff(criterion, ['test/a.ts']).map((problem) => problem.kind)).toEqual([
    'outside',
    'untouched',
    'protected',
  ]);
});

test.each([
  ['test', 'test/deep/a.ts', true],
  ['test/', 'test/a.ts', true],
  ['./src/a.ts', 'src/a.ts', true],
  ['test', 'testing/a.ts', false],
  ['*.ts', 'src/a.ts', false],
  ['**/*.ts', 'a.ts', true],
  ['**', '.github/workflows/ci.yml', true],
  ['src/*', 'src/.env', true],
  ['src/{a,b}.ts', 'src/b.ts', true],
  ['app/[id]/page.ts', 'app/[id]/page.ts', true],
])('the glob %s holds %s: %s', (glob, path, expected) => {
  expect(checkDiff(diff({ mustChange: [glob] }), [path]).length === 0).toBe(expected);
});

test('a problem is told in words that name the paths, and a long list is cut', () => {
  expect(problemInWords({ kind: 'nothing_changed' })).toBe('Nothing differs from the commit where the work began.');
  expect(problemInWords({ kind: 'untouched', glob: 'src/**' })).toBe('Nothing changed under src/**.');
  expect(problemInWords({ kind: 'protected', paths: ['a', 'b'] })).toBe('Changed although they must not: a, b.');
  const paths = Array.from({ length: 25 }, (_, index) => `p${index}`);
  expect(problemInWords({ kind: 'outside', paths })).toMatch(
    /^Changed outside the permitted paths: p0, .*p19 and 5 more\.$/,
  );
});
