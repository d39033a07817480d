import { voidWords } from '../../src/cli/void-words';
import type { ApprovalOutcome } from '../../src/ledger/queries/approval-outcome';

const row: ApprovalOutcome = {
  state: 'voided',
  again: { binding: 'b', rule: 'transfers', policy: 'p1' },
  observed: null,
  attempt: 'WAITING_FOR_APPROVAL',
  rule: 'transfers',
  policy: 'p1',
  changes: [],
};
const changed = (part: 'tool' | 'policy', name?: string) =>
  ({ part, ...(name !== undefined && { name }), from: 'v1', to: 'v2', handled: 'approve_again' }) as const;

test.each<[string, Partial<ApprovalOutcome>, string]>([
  ['its tool is another one', { changes: [changed('tool', 'wire')] }, 'tool wire is v2, and was v1: what was approved'],
  ['another tool too', { changes: [changed('tool', 'mail'), changed('policy')] }, 'policy is v2, and was v1'],
  ['the policy is another one', { again: { binding: 'b', rule: 'r', policy: 'p2' } }, 'policy is p2, and was p1'],
  ['something else', { changes: [changed('tool', 'mail')] }, 'what it was bound to has changed'],
  ['it expired', { state: 'expired', again: null }, 'the request had expired'],
  ['a cancel', { again: null }, 'the request was withdrawn meanwhile'],
])('R5.3 an approval is void because %s', (_what, change, words) => {
  expect(voidWords('wire', { ...row, ...change })).toContain(words);
});
