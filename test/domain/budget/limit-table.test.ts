import { limitsOf } from '../../../src/config/limits';
import { budgetSchema } from '../../../src/config/schema';
import { defaultLimits } from '../../../src/domain/budget/account';
import { writtenLimits } from '../../../src/domain/budget/limit-table';
import { resumeShape } from '../../../src/workflows/messages/shapes';

test('R6.1 a limit has one name, wherever it may be written', () => {
  expect(Object.keys(budgetSchema.shape)).toEqual(writtenLimits);
  const budget = Object.fromEntries(writtenLimits.map((name) => [name, 7]));
  expect(resumeShape.safeParse({ by: 'ana', budget }).success).toBe(true);
  expect(resumeShape.safeParse({ by: 'ana', budget: { ...budget, maxMoney: 7 } }).success).toBe(false);
  expect(Object.keys(limitsOf(budget)).sort()).toEqual(Object.keys(defaultLimits).sort());
});

test('R6.1 seconds and dollars are kept in whole units, and what is not written is not there', () => {
  expect(limitsOf({ maxRuntimeSeconds: 0.25, maxCostUsd: 0.0000015, maxTurns: 3 })).toEqual({
    maxRuntimeMs: 250,
    maxCostMicroUsd: 2,
    maxTurns: 3,
  });
});
