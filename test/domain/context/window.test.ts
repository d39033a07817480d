import fc from 'fast-check';
import { blockSteps, firstVisibleStep, visibleStepsMax } from '../../../src/domain/context/window';

test('R13.5 all steps are shown until there are more than the window holds', () => {
  expect([1, 2, visibleStepsMax, visibleStepsMax + 1].map(firstVisibleStep)).toEqual([1, 1, 1, 1]);
});

test('R13.5 the 42nd step drops the first block, and the next 20 keep what is left', () => {
  expect(firstVisibleStep(42)).toBe(21);
  expect(firstVisibleStep(61)).toBe(21);
  expect(firstVisibleStep(62)).toBe(41);
});

test('R13.5 the first shown step moves in whole blocks only, once in so many steps', () => {
  const moves = Array.from({ length: 999 }, (_, index) => index + 1).filter(
    (step) => firstVisibleStep(step + 1) !== firstVisibleStep(step),
  );
  for (const step of moves) expect(firstVisibleStep(step + 1) - firstVisibleStep(step)).toBe(blockSteps);
  for (const [index, step] of moves.slice(1).entries()) expect(step - (moves[index] ?? 0)).toBe(blockSteps);
  expect(moves.length).toBe(48);
});

test('R13.5 the window is never overfull, and never emptier than it must be', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (step) => {
      const shown = step - firstVisibleStep(step);
      expect(shown).toBeLessThanOrEqual(visibleStepsMax);
      expect(shown).toBeGreaterThanOrEqual(Math.min(step - 1, visibleStepsMax - blockSteps + 1));
    }),
  );
});
