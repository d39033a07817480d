import { renderEvent, type Told } from '../../src/cli/render-event';
import type { StepDetails } from '../../src/ledger/queries/step-details';
import type { EventContent } from '../../src/protocol/events';

const details: StepDetails = {
  text: 'I look  at\nthe tests.',
  priceKnown: true,
  actions: [
    { index: 0, tool: 'run_command', args: '{"command":"npm test"}', output: 'ok' },
    { index: 1, tool: 'apply_patch', args: '{"patch":"--- a/src/a.js\\n+++ b/src/a.js\\n@@"}', output: null },
    { index: 2, tool: 'odd', args: 'not json', output: null },
    { index: 3, tool: 'finish', args: '{"status":"done","summary":"Repaired."}', output: null },
  ],
};
const lines = (event: EventContent, told: Told = {}) =>
  renderEvent(event, 3, { details, ...told }).map((line) => line.trim());
const finished = (index: number, tool: string, ok: boolean, code?: string): EventContent => ({
  type: 'action_finished',
  payload: { index, tool, ok, bytes: 2, ...(code !== undefined && { code }) },
});

test('a model answer is told with its bill, its words on one line, and how it ends', () => {
  const payload = { stop: 'finish', calls: 1, tokensIn: 1234, tokensOut: 5, costMicroUsd: 12_345, try: 1 };
  expect(lines({ type: 'model_answered', payload })).toEqual([
    'step 3     model answered: 1 call, 1,234 tokens in and 5 out, USD 0.0123',
    '“I look at the tests.”',
    'finish done: Repaired.',
  ]);
});

test('R6.2 an answer whose price nobody knows is not told as free', () => {
  const payload = { stop: 'text', calls: 0, tokensIn: 9, tokensOut: 1, costMicroUsd: 0, try: 1 };
  const [first] = lines({ type: 'model_answered', payload }, { details: { ...details, priceKnown: false } });
  expect(first).toMatch(/9 tokens in and 1 out, price unknown$/);
});

test('a message is told with what it said', () => {
  const payload = { messageId: 'i', kind: 'say' };
  expect(lines({ type: 'message_taken', payload }, { words: 'Use the\nsecond.' })).toEqual([
    'message    say taken “Use the second.”',
  ]);
  expect(lines({ type: 'message_taken', payload }, { words: null })).toEqual(['message    say taken']);
});

test('an action is told by what it was about, and by its code where it failed', () => {
  expect(lines(finished(0, 'run_command', true))).toEqual(['✓ run_command npm test']);
  expect(lines(finished(1, 'apply_patch', false, 'PATCH_CONFLICT'))).toEqual([
    '✗ apply_patch src/a.js · PATCH_CONFLICT',
  ]);
  expect(lines(finished(2, 'odd', false))).toEqual(['✗ odd not json · failed']);
});

test('of the states only turning points have a line', () => {
  const path = ['DECIDING', 'VERIFYING', 'NEEDS_REPAIR', 'ASSEMBLING_CONTEXT'] as const;
  expect(lines({ type: 'state_moved', payload: { path } })).toEqual([
    'state      VERIFYING',
    'state      NEEDS_REPAIR',
  ]);
});

test.each<[EventContent, string]>([
  [{ type: 'attempt_created', payload: { contractVersion: 2 } }, 'created    contract version 2'],
  [
    { type: 'workspace_ready', payload: { base: '0123456789abcdef', snapshot: 'x', setupMs: 65_000 } },
    'workspace  at 0123456789, set up in 1 min 5 s',
  ],
  [
    { type: 'workspace_moved', payload: { from: 'one', to: 'two', snapshot: 'x' } },
    'workspace  its host one is gone; two goes on with it',
  ],
  [
    { type: 'model_failed', payload: { code: 'RATE_LIMITED', try: 1, model: 'm' } },
    'step 4     model m failed: RATE_LIMITED',
  ],
  [{ type: 'tool_retry', payload: { index: 0, code: 'BUSY', try: 1 } }, 'try 1 failed: BUSY; tried again'],
  [
    { type: 'loop_warning', payload: { index: 0, tool: 't', repeats: 2, intervention: 'warn' } },
    't npm test: repeated 2 times, and nothing had changed: the model was warned',
  ],
  [
    {
      type: 'loop_warning',
      payload: { index: 0, tool: 't', repeats: 4, intervention: 'end', kind: 'reworded', snapshot: '0123456789abcdef' },
    },
    't npm test: repeated 4 times in other words, with the same answer, and the workspace was still at 0123456789: not run; the attempt ends',
  ],
  [
    { type: 'message_rejected', payload: { messageId: 'i', kind: 'say', why: 'late' } },
    'message    say rejected: late',
  ],
  [
    { type: 'criterion_checked', payload: { criterion: 'tests', met: false, candidate: 1, code: 'EXIT' } },
    'check      ✗ tests · EXIT',
  ],
  [
    { type: 'budget_exceeded', payload: { limit: 'maxTurns', used: 3, max: 3 } },
    'budget     maxTurns exceeded: 3 of 3',
  ],
  [
    { type: 'paused', payload: { state: 'WAITING_FOR_USER', reason: 'blocked' } },
    'paused     WAITING_FOR_USER (blocked)',
  ],
  [{ type: 'ended', payload: { state: 'COMPLETED', reason: 'success' } }, 'ended      COMPLETED (success)'],
])('%j is told', (event, expected) => {
  expect(lines(event)).toEqual([expected]);
});

test('R5.5 an approval is told with who is asked, who answered, and what became of it', () => {
  const asked = { index: 0, tool: 'create_refund', binding: 'b', rule: 'large-refunds', policy: 'p', needed: 2 };
  expect(lines({ type: 'approval_requested', payload: { ...asked, expiresAt: Date.UTC(2026, 0, 2) } })).toEqual([
    'approval   create_refund waits for 2 approvals until 2026-01-02T00:00:00.000Z (large-refunds)',
  ]);
  const answered = { action: 'refund/1/s2.a0', by: 'ana', channel: 'asserted' } as const;
  expect(lines({ type: 'approval_answered', payload: { ...answered, answer: 'approve', left: 1 } })).toEqual([
    'approval   approved by ana (asserted); 1 more needed',
  ]);
  expect(lines({ type: 'approval_answered', payload: { ...answered, answer: 'deny', left: 0 } })).toEqual([
    'approval   denied by ana (asserted)',
  ]);
  expect(lines({ type: 'approval_closed', payload: { action: 'refund/1/s2.a0', as: 'expired' } })).toEqual([
    'approval   expired: refund/1/s2.a0',
  ]);
  const denied = { index: 0, tool: 'send_email', code: 'POLICY_DENIED', rule: 'no-leak', policy: 'p' };
  expect(lines({ type: 'action_denied', payload: denied })).toEqual(['denied     send_email: POLICY_DENIED (no-leak)']);
});

test('R4.7 what nobody can tell of an effect is told as unknown, and then by whom it was settled', () => {
  const of = { action: 'mail/1/s2.a0', effect: 'send_email/k/g1' };
  expect(lines({ type: 'effect_unknown', payload: { ...of, code: 'NO_ANSWER' } })).toEqual([
    'effect     unknown whether it happened: send_email/k/g1 (NO_ANSWER)',
  ]);
  expect(lines({ type: 'effect_unknown', payload: { ...of, code: 'SEND_FAILED', detail: 'the line\nbroke' } })).toEqual(
    ['effect     unknown whether it happened: send_email/k/g1 (SEND_FAILED: the line broke)'],
  );
  expect(lines({ type: 'effect_probed', payload: { ...of, found: 'not_found', round: 2 } })).toEqual([
    'effect     looked 2 times: not_found',
  ]);
  expect(lines({ type: 'effect_settled', payload: { ...of, as: 'committed', by: 'person', name: 'ana' } })).toEqual([
    'effect     it happened, by ana: send_email/k/g1',
  ]);
  expect(lines({ type: 'effect_settled', payload: { ...of, as: 'not_committed', by: 'probe' } })).toEqual([
    'effect     it did not happen, by probe: send_email/k/g1',
  ]);
});

test('R11.2 a cancel that came too late says what had happened, and when', () => {
  const requestedAt = '2026-01-01T00:00:02Z';
  const committed = [{ action: 'refund/1/s2.a0', effect: 'default/create_refund/1042/g1', at: '2026-01-01T00:00:01Z' }];
  expect(lines({ type: 'cancel_settled', payload: { requestedAt, committed } })).toEqual([
    'cancel     the cancel came (at 2026-01-01T00:00:02Z), but create_refund 1042 had already been committed at 2026-01-01T00:00:01Z',
  ]);
  const sent = committed.map((done) => ({ ...done, sentAt: '2026-01-01T00:00:00Z' }));
  expect(lines({ type: 'cancel_settled', payload: { requestedAt, committed: sent } })[0]).toContain(
    'had already been committed at 2026-01-01T00:00:01Z (sent at 2026-01-01T00:00:00Z)',
  );
  expect(lines({ type: 'cancel_settled', payload: { requestedAt, committed: [] } })).toEqual([
    'cancel     asked for at 2026-01-01T00:00:02Z; nothing of it is left',
  ]);
});

test('R6.3 a raised limit is told as the task file names it', () => {
  const limits = { maxCostMicroUsd: 5_000_000, maxTurns: 40 };
  expect(lines({ type: 'limits_raised', payload: { by: 'ana', limits } })).toEqual([
    'budget     ana raised maxTurns to 40, maxCostUsd to USD 5.0000',
  ]);
});

test('R13.4 a compaction is told with what it left and what it gained, and a summary that was not taken with why', () => {
  const payload = { by: 'summary' as const, uptoStep: 40, tokensBefore: 9_000, tokensAfter: 3_000, items: 7, left: 2 };
  const bill = { tokensIn: 5_000, tokensOut: 400, costMicroUsd: 6_600 };
  expect(lines({ type: 'context_compacted', payload: { ...payload, bill } })).toEqual([
    'context    steps 1–40 summed up: 7 items, 2 more to be recalled; 9000 → 3000 tokens (5,000 tokens in and 400 out, USD 0.0066)',
  ]);
  const mechanical = { ...payload, by: 'mechanical' as const, left: 0 };
  expect(lines({ type: 'context_compacted', payload: mechanical })).toEqual([
    'context    steps 1–40 kept as a list, without a summary: 7 items; 9000 → 3000 tokens',
  ]);
  const faults = [{ code: 'SUMMARY_CUT' as const }];
  const rejected = { by: 'summary' as const, code: 'SUMMARY_CUT' as const, faults, try: 2 };
  const unpriced = { ...bill, costMicroUsd: 0, priceUnknown: true as const };
  expect(lines({ type: 'projection_rejected', payload: { ...rejected, bill: unpriced } })).toEqual([
    'context    a summary was not taken: the summary was cut before its end: write less (5,000 tokens in and 400 out, price unknown)',
  ]);
});

test('R8.6 a tool that stopped the attempt is told with what to do; R9.3 a read that saw another workspace than its first try says so', () => {
  const detail = 'The shop takes no call without a token. Set SHOP_TOKEN.';
  expect(
    lines({ type: 'tool_failed', payload: { index: 0, tool: 'lookup_order', code: 'NO_SHOP_TOKEN', detail } }),
  ).toEqual([detail]);
  const read = { index: 0, tool: 'read_file', snapshot: 'a1' };
  expect(lines({ type: 'read_repeated', payload: { ...read, drift: true } })).toEqual([
    'read_file saw another workspace than its first try did',
  ]);
  expect(lines({ type: 'read_repeated', payload: read })).toEqual([]);
});
