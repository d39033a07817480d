import { createTwoFilesPatch, applyPatch as otherApply, parsePatch } from 'diff';
import fc from 'fast-check';
import { applyHunks } from '../../src/tools/apply-hunks';
import { findLines } from '../../src/tools/find-lines';

const hunksOf = (patch: string) => parsePatch(patch)[0]?.hunks ?? [];
const apply = (source: string, patch: string) => applyHunks(source, hunksOf(patch), () => {});

const line = fc.constantFrom('a', 'b', 'c', '', 'long line');
const text = fc
  .tuple(fc.array(line, { maxLength: 30 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([lines, end, ended]) => lines.join(end) + (ended && lines.length > 0 ? end : ''));

test('what was made from two texts turns the one into the other', () => {
  fc.assert(
    fc.property(text, text, fc.integer({ min: 0, max: 4 }), (from, to, context) => {
      const mixed = from.includes('\r') !== to.includes('\r') && from.includes('\n') && to.includes('\n');
      fc.pre(from !== to && !mixed);
      const patch = createTwoFilesPatch('f', 'f', from, to, '', '', { context });
      const applied = apply(from, patch);
      fc.pre(!from.includes('\r') || from.split('\n').length - 1 === from.split('\r').length - 1);
      expect({ from, to, patch, applied }).toMatchObject({ applied: { kind: 'applied', text: to } });
    }),
    { numRuns: 2_000 },
  );
});

test('a patch that fits elsewhere, or nowhere, goes where a second program puts it', () => {
  fc.assert(
    fc.property(text, text, text, fc.integer({ min: 1, max: 4 }), (from, to, source, context) => {
      const patch = createTwoFilesPatch('f', 'f', from, to, '', '', { context });
      const hunks = hunksOf(patch);
      // A hunk that names no line of the file is refused here, and moved by the other one.
      fc.pre(hunks.length > 0 && !/\r/.test(from + to + source) && hunks.every(({ oldLines }) => oldLines > 0));
      const expected = otherApply(source, patch);
      const applied = apply(source, patch);
      expect({ patch, source, text: applied.kind === 'applied' && applied.text }).toEqual({
        patch,
        source,
        text: expected,
      });
    }),
    { numRuns: 2_000 },
  );
});

test('of two places as near, the later one; of others, the nearest; and never one that was passed', () => {
  const lines = ['x', 'y', '', 'x', 'y', 'x', 'y'];
  expect(findLines(lines, ['x', 'y'], { near: 4, from: 0 })).toBe(5);
  expect(findLines(lines, ['x', 'y'], { near: 1, from: 0 })).toBe(0);
  expect(findLines(lines, ['x', 'y'], { near: 0, from: 1 })).toBe(3);
  expect(findLines(lines, ['y', 'y'], { near: 0, from: 0 })).toBeUndefined();
});

test('an insertion that names a place behind the end is refused', () => {
  expect(apply('a\n', '--- f\n+++ f\n@@ -9,0 +10 @@\n+b\n')).toEqual({ kind: 'misfit', hunk: 0 });
});
