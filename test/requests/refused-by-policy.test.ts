import type { OpenApproval } from '../../src/ledger/queries/open-approvals';
import { refusedByPolicy } from '../../src/requests/messages/refused-by-policy';

const request: OpenApproval = {
  attemptId: 'refund/1',
  actionId: 'refund/1/s2.a0',
  tool: 'create_refund',
  args: '{}',
  target: 'order:1',
  binding: 'ab',
  rule: 'large',
  policy: 'p',
  approvers: ['role:finance'],
  needed: 2,
  channel: 'authenticated',
  answers: [{ by: 'ana', answer: 'approve', channel: 'authenticated' }],
  askedAt: '2026-01-01T00:00:00Z',
  expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
};
const given = { answer: 'approve', by: 'cem', channel: 'asserted', binding: 'ab' } as const;

test('R5.5 an answer that would have counted from somebody else was refused by policy', () => {
  expect(refusedByPolicy(request, given)).toBe(true);
});

test.each([
  ['another binding', { ...given, binding: 'cd' }, request],
  ['a second answer of the same person', { ...given, by: 'ana' }, request],
  ['an answer after the expiry', given, { ...request, expiresAt: '2020-01-01T00:00:00Z' }],
  ['an answer to what is no longer asked', given, undefined],
])('R5.3 %s is wrong from anybody', (_what, answer, asked) => {
  expect(refusedByPolicy(asked, answer)).toBe(false);
});
