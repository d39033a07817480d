import { budgetOf } from '../../src/cli/budget-option';

test('R6.3 limits are raised by their names and in the units of a task file', () => {
  expect(budgetOf(['maxCostUsd=5', 'maxRuntimeSeconds=1.5'])).toEqual({ maxCostUsd: 5, maxRuntimeSeconds: 1.5 });
  expect(budgetOf([])).toEqual({});
});

test.each([
  ['maxUsd=5', 'names no limit'],
  ['maxCostUsd', 'names no limit'],
  ['maxCostUsd=', 'names no limit'],
  ['maxCostUsd=five', 'maxCostUsd: what stands there is no number.'],
  ['maxCostUsd=-1', 'maxCostUsd: it is at least 0.'],
  ['maxCostUsd=Infinity', 'maxCostUsd: what stands there is no number.'],
  ['maxTurns=1.5', 'maxTurns: it counts something, so it is a whole number.'],
  ['maxTurns=0', 'maxTurns: it is more than 0.'],
  ['maxTurns=1e30', 'maxTurns: it is at most 9007199254740991.'],
  ['maxRuntimeSeconds=0', 'maxRuntimeSeconds: it is more than 0.'],
  ['toString=1', 'names no limit'],
])('%s is refused, with the limits that there are', (text, expected) => {
  expect(() => budgetOf([text])).toThrow(
    expect.objectContaining({
      exitCode: 2,
      message: expect.stringContaining(expected),
      next: expect.stringContaining('maxRuntimeSeconds'),
    }),
  );
});

test('a limit that is given twice is refused', () => {
  expect(() => budgetOf(['maxTurns=5', 'maxTurns=6'])).toThrow('maxTurns is given twice');
});
