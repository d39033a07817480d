import type { Contract } from '../../../src/domain/contract/contract';
import { contractHash } from '../../../src/domain/contract/hash';
import { reviseGoal } from '../../../src/domain/contract/revise-goal';

const contract: Contract = {
  kind: 'dialog',
  goal: 'Answer.',
  constraints: ['Briefly.'],
  forbidden: ['mail'],
  tools: ['look'],
  acceptance: [],
};

test('R1.2 a revision is another version in which nothing but the revisions differs', () => {
  const first = reviseGoal(contract, 'In French.');
  if (!first.ok) throw new Error(first.why);
  expect(first.contract).toEqual({ ...contract, revisions: ['In French.'] });
  const second = reviseGoal(first.contract, 'In Dutch.');
  if (!second.ok) throw new Error(second.why);
  expect(second.contract).toEqual({ ...contract, revisions: ['In French.', 'In Dutch.'] });
  expect(new Set([contract, first.contract, second.contract].map(contractHash)).size).toBe(3);
});

test('R1.2 a goal is revised so often and at such length as can still be read', () => {
  expect(reviseGoal(contract, 'x'.repeat(4_000)).ok).toBe(true);
  expect(reviseGoal(contract, 'x'.repeat(4_001))).toMatchObject({
    ok: false,
    why: expect.stringContaining('4000 characters'),
  });
  const often = { ...contract, revisions: Array.from({ length: 20 }, (_, k) => `${k}`) };
  expect(reviseGoal(often, 'Once more.')).toMatchObject({ ok: false, why: expect.stringContaining('another task') });
});
