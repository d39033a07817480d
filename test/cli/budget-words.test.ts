import { BudgetTeller, budgetWords } from '../../src/cli/budget-words';
import { type Account, defaultLimits, emptyAccount } from '../../src/domain/budget/account';

const budget = (used: Partial<Account>) => ({ limits: defaultLimits, used: { ...emptyAccount, ...used } });

test('R6.1 the line says what was used of each limit, and which is nearest', () => {
  expect(budgetWords(budget({ toolCalls: 40, tokens: 50_000, costMicroUsd: 100_000, runtimeMs: 30_000 }))).toBe(
    'USD 0.1000 of USD 2.0000 · 50,000 of 100,000 tokens · 40 of 50 tool calls · 30 s of 10 min 0 s · 0 of 3 repairs · nearest: maxToolCalls 80 %',
  );
  expect(budgetWords(budget({}))).not.toContain('nearest');
  expect(budgetWords(budget({ costMicroUsd: 5 }), true)).toContain('price unknown, so maxCostUsd cannot bite');
});

test('R6.1 whoever watches is told once that a limit is half used, three quarters and nine tenths', () => {
  const teller = new BudgetTeller();
  const told = [10, 25, 26, 38, 40, 45, 50].map((toolCalls) => teller.tell(budget({ toolCalls })));
  expect(told).toEqual([
    undefined,
    'maxToolCalls: 25 of 50 used',
    undefined,
    'maxToolCalls: 38 of 50 used',
    undefined,
    'maxToolCalls: 45 of 50 used',
    undefined,
  ]);
  expect(teller.tell(budget({ toolCalls: 50, costMicroUsd: 2_200_000 }))).toBe(
    'maxCostUsd: USD 2.2000 of USD 2.0000 used',
  );
});
