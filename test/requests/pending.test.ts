import { renderPending } from '../../src/cli/render-pending';
import { defaultLimits, emptyAccount } from '../../src/domain/budget/account';
import type { Principal } from '../../src/domain/policy/policy';
import type { AttemptDetails } from '../../src/ledger/queries/attempt-details';
import type { OpenApproval } from '../../src/ledger/queries/open-approvals';
import type { UnknownEffect } from '../../src/ledger/queries/unknown-effects';
import { pendingOf as pendingOfTenant } from '../../src/requests/pending/pending-of';

function details(change: Partial<AttemptDetails>): AttemptDetails {
  return {
    attemptId: 'repair/1',
    taskId: 'repair',
    workflowId: 'attempt/default/repair/1',
    kind: 'dialog',
    goal: 'g',
    revisions: [],
    state: 'WAITING_FOR_USER',
    reason: 'waiting_for_user',
    taskCompletion: null,
    modelStop: null,
    turn: 1,
    step: 1,
    budget: { limits: defaultLimits, used: emptyAccount },
    checks: [],
    trouble: null,
    priceUnknown: false,
    effects: [],
    refused: [],
    approvals: [],
    unknownEffects: [],
    waitsForEffect: null,
    jobs: [],
    tainted: false,
    startedBy: null,
    forkedFrom: null,
    took: null,
    continues: null,
    race: null,
    lastStep: null,
    exceeded: null,
    waitingMessages: [],
    versions: {},
    workspace: null,
    createdAt: '',
    endedAt: null,
    workflowStarted: true,
    sequence: 1,
    ...change,
  };
}
const called = (tool: string, args: string | null, text: string | null = 'So it is.') => ({
  lastStep: { step: 1, text, actions: [{ actionId: 'repair/1/s1.a0', tool, args }] },
});
const pendingOf = (of: AttemptDetails, principals: readonly Principal[] = []) =>
  pendingOfTenant('default', of, principals);
const attemptId = 'repair/1';
const command = 'holdfast say repair/1 "…"';

test('R3.2 a question is pending with its action, its choices and the command that answers it', () => {
  const asked = called('ask_user', '{"question":"Which?","choices":["a","b"]}');
  expect(pendingOf(details(asked))).toEqual([
    { kind: 'question', attemptId, actionId: 'repair/1/s1.a0', text: 'Which?', choices: ['a', 'b'], command },
  ]);
});

test('R3.2 a report of being blocked is pending in its own words', () => {
  const blocked = called('finish', '{"status":"blocked","summary":"No key."}');
  expect(pendingOf(details({ ...blocked, reason: 'blocked' }))).toEqual([
    { kind: 'message', attemptId, text: 'No key.', command },
  ]);
});

test.each([
  ['a plain stop', called('read_file', '{}')],
  ['arguments that are no JSON', called('ask_user', '{"question":')],
  ['arguments that are kept elsewhere', called('ask_user', null)],
])('%s is pending with what the model said', (_what, last) => {
  expect(pendingOf(details({ ...last, reason: 'turn_stopped' }))).toEqual([
    { kind: 'message', attemptId, text: 'So it is.', command },
  ]);
});

test('R6.3 a suspension is pending with the limit that it was about, and how it is raised', () => {
  const exceeded = { limit: 'maxTurns', used: 3, max: 3, ask: 1 } as const;
  expect(pendingOf(details({ state: 'SUSPENDED', reason: 'budget_exceeded', exceeded }))).toEqual([
    {
      kind: 'budget',
      attemptId,
      text: 'maxTurns exceeded: 3 of 3',
      advice: expect.any(String),
      command: 'holdfast resume repair/1 --budget maxTurns=4',
      or: 'holdfast cancel repair/1',
    },
  ]);
});

test('R6.3 a limit has the name and the unit that it has in the task file', () => {
  const exceeded = { limit: 'maxRuntimeMs', used: 601_000, max: 600_000 } as const;
  expect(pendingOf(details({ state: 'SUSPENDED', reason: 'budget_exceeded', exceeded }))[0]).toMatchObject({
    text: 'maxRuntimeSeconds exceeded: 10 min 1 s of 10 min 0 s',
    command: 'holdfast resume repair/1 --budget maxRuntimeSeconds=…',
  });
});

test.each([
  [
    { limit: 'maxTokens', used: 13_200, max: 100_000, ask: 90_000 } as const,
    'maxTokens reached: 13,200 of 100,000 used, and the next call may take 90,000',
    'maxTokens=103200',
  ],
  [
    { limit: 'maxCostMicroUsd', used: 1_990_000, max: 2_000_000, ask: 13_152 } as const,
    'maxCostUsd reached: USD 1.9900 of USD 2.0000 used, and the next call may take USD 0.0132',
    'maxCostUsd=2.003152',
  ],
  [
    { limit: 'maxRuntimeMs', used: 600_250, max: 600_000, ask: 1_000 } as const,
    'maxRuntimeSeconds exceeded: 10 min 0 s of 10 min 0 s',
    'maxRuntimeSeconds=602',
  ],
])('R6.3 %j: what did not fit is said, and the smallest limit under which it does', (exceeded, text, least) => {
  expect(pendingOf(details({ state: 'SUSPENDED', reason: 'budget_exceeded', exceeded }))[0]).toMatchObject({
    text,
    command: `holdfast resume repair/1 --budget ${least}`,
  });
});

test.each([
  ['day', /; or wait until the day is over/],
  ['month', /; or wait until the month is over/],
  ['total', /starts the worker anew\.$/],
] as const)('R6.1 whoever is stopped by a limit for each %s is told what helps', (per, advice) => {
  const exceeded = {
    limit: 'tenantMaxCostMicroUsd',
    used: 190_000_000,
    max: 199_000_000,
    ask: 9_500_000,
    per,
  } as const;
  const [pending] = pendingOf(details({ state: 'SUSPENDED', reason: 'budget_exceeded', exceeded }));
  expect(pending).toMatchObject({
    text: 'tenants.maxCostUsd reached: USD 190.0000 of USD 199.0000 used, and the next call may take USD 9.5000',
    advice: expect.stringMatching(advice),
  });
  expect(pending).toMatchObject({ advice: expect.stringContaining('(to 199.5 or more)') });
});

test('R6.1 a tenant’s limit is raised where it stands, by whoever operates Holdfast, and then tried again', () => {
  const exceeded = { limit: 'tenantMaxCostMicroUsd', used: 200_000_000, max: 199_000_000 } as const;
  const [pending] = pendingOf(details({ state: 'SUSPENDED', reason: 'budget_exceeded', exceeded }));
  expect(pending).toMatchObject({
    kind: 'budget',
    text: 'tenants.maxCostUsd exceeded: USD 200.0000 of USD 199.0000',
    advice: expect.stringContaining('tenants.default.maxCostUsd in holdfast.yaml'),
    command: 'holdfast resume repair/1',
    or: 'holdfast cancel repair/1',
  });
});

test('R2.2 a suspension by hand names no limit, though one was exceeded before', () => {
  const exceeded = { limit: 'maxTurns', used: 3, max: 3 } as const;
  expect(pendingOf(details({ state: 'SUSPENDED', reason: 'suspended', exceeded }))).toEqual([
    expect.objectContaining({ kind: 'suspended', command: 'holdfast resume repair/1' }),
  ]);
});

const request: OpenApproval = {
  attemptId,
  actionId: 'repair/1/s2.a1',
  tool: 'create_refund',
  args: '{"orderId":"1042","amount":120}',
  target: 'order:1042',
  binding: 'ab12',
  rule: 'large-refunds',
  policy: 'p1',
  approvers: ['role:finance'],
  needed: 2,
  channel: 'asserted',
  answers: [{ by: 'ana', answer: 'approve', channel: 'asserted' }],
  askedAt: '2026-01-01T00:00:00Z',
  expiresAt: '2026-01-02T00:00:00Z',
};

test('R5.3 a request is pending with all that an answer is about, and both answers', () => {
  const [pending, ...others] = pendingOf(
    details({ state: 'WAITING_FOR_APPROVAL', reason: 'paused_for_approval', approvals: [request] }),
  );
  expect(others).toEqual([]);
  expect(pending).toMatchObject({
    ...request,
    kind: 'approval',
    command: 'holdfast approve repair/1 s2.a1',
    or: 'holdfast deny repair/1 s2.a1 --reason "…"',
  });
  const text = pending && renderPending(pending).join('\n');
  for (const said of ['create_refund', '"amount":120', 'order:1042', 'large-refunds', 'p1', 'role:finance', 'ab12'])
    expect(text).toContain(said);
  expect(text).toContain('1 of 2 (ana), of role:finance, until 2026-01-02');
});

const unknown: UnknownEffect = {
  attemptId,
  actionId: 'repair/1/s2.a0',
  tool: 'send_email',
  effectClass: 'unsafe',
  args: '{"to":"a"}',
  target: 'mail:a',
  key: 'default/repair/1/s2.a0/g1',
  sentAt: '2026-01-01T00:00:00Z',
  cause: { code: 'SEND_FAILED', detail: 'the line\n broke', at: '2026-01-01T00:00:01Z' },
  asked: true,
  heldUp: ['other/1'],
};

test('R4.7 an unknown effect is pending with where to look, who waits for it, and both words', () => {
  const [pending] = pendingOf(
    details({ state: 'RECONCILING', reason: 'reconcile_required', unknownEffects: [unknown] }),
  );
  expect(pending).toMatchObject({
    ...unknown,
    kind: 'reconcile',
    advice: expect.stringMatching(/^Look at mail:a/),
    command: 'holdfast reconcile repair/1 s2.a0 --committed --evidence "what you saw"',
    or: 'holdfast reconcile repair/1 s2.a0 --not-committed --evidence "what you saw"',
  });
  const text = pending && renderPending(pending).join('\n');
  expect(text).toContain('held up by it: other/1');
  expect(text).toContain('nobody could tell at 2026-01-01T00:00:01Z: SEND_FAILED: the line broke');
  const [looked] = pendingOf(details({ state: 'RECONCILING', unknownEffects: [{ ...unknown, asked: false }] }));
  expect(looked?.advice).toMatch(/^It is still being looked at/);
});

test('R5.5 where configuration names people, a command names who may give it: the one who is asked, or NAME', () => {
  const ana = { name: 'ana', roles: ['finance'] };
  const ben = { name: 'ben', roles: ['finance'] };
  const cem = { name: 'cem', roles: ['support'] };
  const asks = (approval: OpenApproval, principals: readonly Principal[]) =>
    pendingOf(details({ state: 'WAITING_FOR_APPROVAL', approvals: [approval] }), principals)[0];
  const unanswered = { ...request, attemptId, answers: [] };
  expect(asks(unanswered, [ana, cem])).toMatchObject({
    command: 'holdfast approve repair/1 s2.a1 --by ana',
    or: 'holdfast deny repair/1 s2.a1 --by ana --reason "…"',
  });
  expect(asks(unanswered, [ana, ben])?.command).toBe('holdfast approve repair/1 s2.a1 --by NAME');
  expect(asks(unanswered, [cem])?.command).toBe('holdfast approve repair/1 s2.a1 --by NAME');
  // ana has said yes already, so the other one is asked.
  expect(asks({ ...request, attemptId }, [ana, ben])?.command).toBe('holdfast approve repair/1 s2.a1 --by ben');

  const open = details({ state: 'RECONCILING', reason: 'reconcile_required', unknownEffects: [unknown] });
  expect(pendingOf(open, [ana, cem])[0]?.command).toBe(
    'holdfast reconcile repair/1 s2.a0 --committed --by NAME --evidence "what you saw"',
  );
  const exceeded = { limit: 'maxCostMicroUsd', used: 2, max: 1 } as const;
  expect(pendingOf(details({ state: 'SUSPENDED', reason: 'budget_exceeded', exceeded }), [cem])[0]?.command).toMatch(
    / --by cem$/,
  );
});

test('E7 an attempt that waits for another effect names it, and the inbox that settles it', () => {
  const waits = { state: 'WAITING_FOR_EFFECT', waitsForEffect: 'default/send_email/x/g1' } as const;
  expect(pendingOf(details(waits))).toEqual([
    expect.objectContaining({ kind: 'effect', effect: 'default/send_email/x/g1', command: 'holdfast inbox' }),
  ]);
});

test('R4.7 a cancel that an effect holds open is pending with what settles it', () => {
  expect(pendingOf(details({ state: 'CANCELLING', reason: null, unknownEffects: [unknown] }))[0]?.kind).toBe(
    'reconcile',
  );
});

test('R12.5 commands about another tenant name it', () => {
  expect(pendingOfTenant('acme', details({ state: 'SUSPENDED', reason: 'suspended' }), [])[0]?.command).toBe(
    'holdfast resume repair/1 --tenant acme',
  );
});

test('R8.4 what stood in the way is said instead of what the model said before', () => {
  const trouble = { kind: 'model', what: 'default', code: 'NO_KEY', detail: 'no key' } as const;
  expect(pendingOf(details({ ...called('read_file', '{}'), reason: 'blocked', trouble }))).toEqual([
    {
      kind: 'message',
      attemptId,
      text: 'model default failed: NO_KEY · no key',
      trouble,
      advice: expect.any(String),
      command,
    },
  ]);
});

test.each(['COMPLETED', 'FAILED', 'CANCELLED', 'EXECUTING_TOOL', 'CREATED'] as const)(
  'nothing is pending in %s',
  (state) => {
    expect(pendingOf(details({ ...called('ask_user', '{"question":"Which?"}'), state }))).toEqual([]);
  },
);

test('R15.2 a job that runs elsewhere is pending with its handle, and with the command that wants it no more', () => {
  const since = '2026-01-01T00:00:00.000Z';
  const job = { actionId: 'repair/1/s1.a0', tool: 'run_report', handle: 'j-17', since };
  const [pending, ...more] = pendingOf(details({ state: 'WAITING_FOR_EFFECT', jobs: [job] }));
  expect(more).toEqual([]);
  expect(pending).toMatchObject({ kind: 'job', actionId: job.actionId, handle: 'j-17', since });
  expect(pending && renderPending(pending).join('\n')).toMatch(
    /the job j-17 of run_report, since 2026.*cancel repair\/1/s,
  );
});
