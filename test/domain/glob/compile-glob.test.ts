import fc from 'fast-check';
import { compileGlob } from '../../../src/domain/glob/compile-glob';
import { BadGlob, globMaxChars } from '../../../src/domain/glob/parse-glob';

test.each([
  ['a*c', 'abc', true],
  ['a*c', 'a/c', false],
  ['*', '.hidden', true],
  ['*.ts', 'src/a.ts', false],
  ['**', 'a/b/c', true],
  ['**/*.ts', 'a.ts', true],
  ['**/*.ts', 'a/b/c.ts', true],
  ['**/b', 'ab', false],
  ['a/**/b', 'a/b', true],
  ['a/**/b', 'a/x/y/b', true],
  ['a/**/b', 'axb', false],
  ['a/**', 'a', true],
  ['a/**', 'ab', false],
  ['a**b', 'a/b', false],
  ['a**b', 'axxb', true],
  ['a?c', 'abc', true],
  ['a?c', 'a/c', false],
  ['?', '😀', true],
  ['[a-c]x', 'bx', true],
  ['[!a-c]x', 'bx', false],
  ['[^a-c]x', 'dx', true],
  ['[!a]', '/', false],
  ['[]a]', ']', true],
  ['[a-]', '-', true],
  ['{a,b/{c,d}}/e', 'b/d/e', true],
  ['{a,b/{c,d}}/e', 'b/e', false],
  ['x{,.js}', 'x', true],
  ['src/{**/a,b}.ts', 'src/x/y/a.ts', true],
  ['app/{id}/x', 'app/{id}/x', true],
  ['app/(group)/x', 'app/(group)/x', true],
  ['a\\*', 'a*', true],
  ['a\\*', 'ab', false],
  ['', 'a', false],
])('%s holds %s: %s', (glob, path, expected) => {
  expect(compileGlob(glob)(path)).toBe(expected);
});

/** The same meaning as a regular expression, which goes back and may; for patterns whose parts are `**` or hold no slash. */
function regularExpression(glob: string): RegExp {
  const source = glob
    .replace(/[.+]/g, '\\$&')
    .replaceAll('?', '[^/]')
    .replaceAll('{a,b}', '(?:a|b)')
    .replace(/(?<!\*)\*(?!\*)/g, '[^/]*')
    .replace(/(^|\/)\*\*\/(?=.)/g, '$1(?:.+/)?')
    .replace(/^\*\*$/, '.*')
    .replace(/(?<!\^\/\]\*)\/\*\*$/, '(?:/.*)?')
    .replace(/\*\*$/, '.*');
  return new RegExp(`^${source}$`, 'su');
}

test('means what the regular expression means', () => {
  const piece = fc.constantFrom('a', 'b', '*', '?', '[ab]', '{a,b}', '.', 'ab');
  const named = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join('').replace(/\*+/g, '*'));
  const glob = fc
    .array(fc.oneof(fc.constant('**'), named), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join('/').replace(/\*\*(?:\/\*\*)+/g, '**'));
  const path = fc
    .array(fc.stringMatching(/^[ab.]{1,5}$/), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join('/'));
  fc.assert(
    fc.property(glob, path, (pattern, candidate) => {
      const [held, expected] = [compileGlob(pattern)(candidate), regularExpression(pattern).test(candidate)];
      expect({ pattern, candidate, held }).toEqual({ pattern, candidate, held: expected });
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  '!a',
  '@(a|b)',
  '+(a)',
  'a|b',
  '{1..3}',
  '[a',
  '{a,b',
  'a}',
  'a\\',
  '[[:alpha:]]',
  'x'.repeat(globMaxChars + 1),
])('%s is refused, not taken for something else', (glob) => {
  expect(() => compileGlob(glob)).toThrow(BadGlob);
});

test.each([
  ['stars', `${'*a'.repeat(249)}*b`, 'a'.repeat(4_000)],
  ['deep stars', `${'**/a/'.repeat(99)}b`, 'a/'.repeat(2_000)],
  ['choices', `${'{a,aa,*}'.repeat(62)}b`, 'a'.repeat(4_000)],
  ['nested choices', `${'{*a,'.repeat(99)}b${'}'.repeat(99)}c`, 'a'.repeat(4_000)],
])('a pattern of %s that others never come back from ends', (_, glob, path) => {
  expect(compileGlob(glob)(path)).toBe(false);
});
