import { defaultLimits, emptyAccount } from '../../../src/domain/budget/account';
import { chargeToolCall, reserve } from '../../../src/domain/budget/reserve';
import { childContract } from '../../../src/domain/child/child-contract';
import { childTask } from '../../../src/domain/child/child-task';
import { holdShare, settleShare, shareFor } from '../../../src/domain/child/share';
import type { Contract } from '../../../src/domain/contract/contract';
import { namePattern } from '../../../src/protocol/ids';

const parent: Contract = {
  kind: 'dialog',
  goal: 'Run the shop.',
  constraints: ['Be polite.'],
  forbidden: ['delete_order'],
  tools: ['delegate', 'get_order', 'delete_order'],
  acceptance: [],
};

test('M6 a child’s task is named by its position, is a name whatever its parent is called, and no other position has it', () => {
  expect(childTask('repair', 2, { step: 7, index: 1 })).toBe('repair.2.s7a1');
  const long = 'x'.repeat(63);
  const names = [0, 1].flatMap((index) =>
    [`${long}`, `${'x'.repeat(62)}y`].map((task) => childTask(task, 1, { step: 1, index })),
  );
  for (const name of names) expect(name).toMatch(namePattern);
  expect(new Set(names).size).toBe(4);
});

test('R6.4 a share is half of what is left unless another one is asked for, and what does not fit is refused', () => {
  const account = { ...emptyAccount, tokens: 20_000, toolCalls: 10 };
  const half = shareFor(account, defaultLimits);
  expect(half).toMatchObject({ ok: true, share: { tokens: 40_000, toolCalls: 20, costMicroUsd: 1_000_000 } });
  expect(shareFor(account, defaultLimits, { maxTokens: 80_001 })).toMatchObject({ ok: false });
  expect(shareFor(account, defaultLimits, { maxCostUsd: 2.01 })).toMatchObject({ ok: false });
});

test('R6.4 what a child holds counts against its parent’s limits, and at its end only what it used does', () => {
  const share = { tokens: 90_000, costMicroUsd: 0, toolCalls: 50 };
  const holding = holdShare(emptyAccount, share);
  const ask = { tokens: 10_001, costMicroUsd: 0 };
  expect(reserve(holding, defaultLimits, ask)).toMatchObject({ ok: false, limit: 'maxTokens' });
  expect(chargeToolCall(holding, defaultLimits, 'get_order')).toMatchObject({ ok: false, limit: 'maxToolCalls' });
  const grandchildren = { tokens: 5, costMicroUsd: 0, toolCalls: 1 };
  const after = settleShare(holding, share, { ...emptyAccount, tokens: 100, toolCalls: 2, delegated: grandchildren });
  expect(after.delegated).toEqual({ tokens: 105, costMicroUsd: 0, toolCalls: 3 });
  expect(after.tokens).toBe(0);
  expect(reserve(after, defaultLimits, ask)).toMatchObject({ ok: true });
});

test('R15.1 what binds the parent binds the child, which gets no tool that its parent lacks or may not use', () => {
  expect(childContract(parent, { goal: 'Look.', kind: 'dialog' })).toMatchObject({
    contract: { tools: ['get_order'] },
  });
  const forbidden = childContract(parent, { goal: 'Look.', kind: 'dialog', tools: ['delete_order'] });
  expect(forbidden).toMatchObject({ ok: false, code: 'TOOL_NOT_HELD' });
  expect(childContract(parent, { goal: 'Look.', kind: 'dialog', tools: ['get_order'] })).toEqual({
    ok: true,
    contract: { ...parent, goal: 'Look.', tools: ['get_order'] },
  });
  expect(childContract(parent, { goal: 'Pay.', kind: 'dialog', tools: ['pay'] })).toMatchObject({
    code: 'TOOL_NOT_HELD',
  });
});
