import { renderDetails } from '../../src/cli/render-details';
import { defaultLimits, emptyAccount } from '../../src/domain/budget/account';
import type { ListedEffect } from '../../src/ledger/queries/effect-list';
import type { AttemptDocument } from '../../src/requests/documents/attempt-document';

const document: AttemptDocument = {
  attemptId: 'repair/1',
  taskId: 'repair',
  workflowId: 'attempt/default/repair/1',
  kind: 'code_change',
  goal: 'g',
  revisions: [],
  state: 'SUSPENDED',
  reason: 'budget_exceeded',
  taskCompletion: null,
  modelStop: null,
  turn: 1,
  step: 1,
  budget: { limits: defaultLimits, used: emptyAccount },
  checks: [],
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
  thread: [],
  checkpoints: [],
  cancel: null,
  lastStep: null,
  exceeded: null,
  trouble: null,
  priceUnknown: false,
  waitingMessages: [],
  versions: {},
  workspace: { git: '/srv/repo', ref: 'main', base: 'b'.repeat(40), snapshot: 's', branch: null, commit: null },
  place: { worktree: '/data/w1/tree', mirror: '/data/mirror.git' },
  createdAt: '',
  endedAt: null,
  workflowStarted: true,
  sequence: 1,
  pending: [],
  tenantUse: null,
};
const shown = (change: Partial<AttemptDocument>) => renderDetails({ ...document, ...change }).join('\n');

test('R3.4 a failed check shows the end of what it printed, and where all of it is', () => {
  const output = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join('\n');
  const artifact = { hash: 'ff', bytes: 90_000 };
  const check = { id: 'tests', check: 'command', candidate: 1, detail: 'exit code 1', output, artifact } as const;
  const failed = shown({ checks: [{ ...check, met: false }] });
  expect(failed).toContain('│ line 30');
  expect(failed).toContain('│ line 11');
  expect(failed).not.toContain('│ line 10\n');
  expect(failed).toContain('all 90000 bytes: artifact ff');
  expect(shown({ checks: [{ ...check, met: true }] })).not.toContain('line 30');
});

test.each(['SUSPENDED', 'FAILED', 'CANCELLED'] as const)('%s without a result says where the work is', (state) => {
  const text = shown({ state });
  expect(text).toContain('/data/w1/tree');
  expect(text).toContain(`git --git-dir /data/mirror.git diff ${'b'.repeat(40)} s`);
});

test('R6.2 a price that nobody knows is said, and that the limit cannot bite', () => {
  expect(shown({ priceUnknown: true })).toContain('price unknown, so maxCostUsd cannot bite');
  expect(shown({})).not.toContain('price unknown');
});

test('a failure that came from outside says why', () => {
  const trouble = { kind: 'workspace', what: '', code: 'GIT_FAILED', detail: 'no space' } as const;
  expect(shown({ state: 'FAILED', reason: 'failed', trouble })).toContain(
    'the workspace cannot be used: GIT_FAILED · no space',
  );
});

const mail: ListedEffect = {
  actionId: 'mail/1/s1.a0',
  tool: 'send_email',
  target: 'mail:ada',
  key: 'default/mail/1/s1.a0/g1',
  argsHash: 'ff',
  phase: 'COMMITTED',
  tries: 1,
  sentAt: '2026-01-01T00:00:01Z',
  committedAt: '2026-01-01T00:09:00Z',
  downstreamId: null,
  authorization: { rule: 'mails', policy: 'p', approvedBy: [] },
  unknown: { code: 'SEND_FAILED', detail: 'the line broke', at: '2026-01-01T00:00:02Z' },
  evidence: [
    { kind: 'probe', at: '2026-01-01T00:00:03Z', found: 'unknown' },
    {
      kind: 'person',
      at: '2026-01-01T00:09:00Z',
      said: 'COMMITTED',
      by: 'ana',
      channel: 'asserted',
      evidence: 'It is in the log.',
    },
  ],
};

test('R4.7 an effect says why it was unknown, and who said what of it, when', () => {
  const text = shown({ effects: [mail] });
  expect(text).toContain('nobody could tell at 2026-01-01T00:00:02Z: SEND_FAILED: the line broke');
  expect(text).toContain('a look at 2026-01-01T00:00:03Z found unknown');
  expect(text).toContain('ana (asserted) said COMMITTED at 2026-01-01T00:09:00Z: “It is in the log.”');
});

test('R11.2 of what a person settled, a cancel tells when it was sent and whose word that is', () => {
  const done = {
    action: mail.actionId,
    effect: mail.key,
    at: '2026-01-01T00:09:00Z',
    sentAt: '2026-01-01T00:00:01Z',
    by: 'person',
  } as const;
  const cancel = { requestedAt: '2026-01-01T00:05:00Z', committed: [done] };
  const words =
    'mail/1/s1.a0 had been sent at 2026-01-01T00:00:01Z and took effect, as ana said at 2026-01-01T00:09:00Z';
  expect(shown({ cancel, effects: [mail] })).toContain(words);
  expect(shown({ cancel })).toContain('as a person said at');
});

test('R5.2 a write that was not let through is shown with its code, its rule and who said no', () => {
  const refused = {
    actionId: 'mail/1/s2.a0',
    tool: 'send_email',
    args: '{"to":"bea"}',
    rule: 'mails',
    policy: 'p',
    at: '2026-01-01T00:00:00Z',
  };
  const nobody = { by: null, reason: null };
  expect(
    shown({ refused: [{ ...refused, code: 'APPROVAL_DENIED', by: 'ben', reason: 'ask first', told: 'ben said no' }] }),
  ).toContain(
    'send_email {"to":"bea"} (mail/1/s2.a0): APPROVAL_DENIED by rule mails at 2026-01-01T00:00:00Z; ben said no: ask first',
  );
  const told = 'The tool send_email was revoked by ana: wrong sender';
  expect(shown({ refused: [{ ...refused, ...nobody, code: 'REVOKED', told }] })).toContain(
    `REVOKED by rule mails at 2026-01-01T00:00:00Z; ${told}`,
  );
  expect(shown({ refused: [{ ...refused, ...nobody, code: 'APPROVAL_VOIDED', told: null }] })).toMatch(/00:00:00Z$/m);
});

test('R6.1 what the tenant has used of its limit is shown beside what the attempt has', () => {
  const tenantUse = { maxCostMicroUsd: 200_000_000, usedMicroUsd: 12_000_000, per: 'month' } as const;
  expect(shown({ tenantUse })).toContain('USD 12.0000 of USD 200.0000 in all its attempts this month');
  expect(shown({ tenantUse: { ...tenantUse, per: 'total' } })).toMatch(/in all its attempts$/m);
  expect(shown({})).not.toContain('in all its attempts');
});

test('R12.1 the newest checkpoints are listed by the name that fork takes, with when and why', () => {
  const at = (n: number) => ({
    checkpoint: `repair/1/c${n}`,
    writtenAt: `2026-01-01T00:00:0${n}Z`,
    at: 'pause' as const,
    turn: 1,
    step: n,
    state: 'SUSPENDED' as const,
    reason: 'suspended' as const,
    unmet: [],
    elsewhere: n < 7 ? null : { jobs: [], children: [1, 2].map((k) => ({ action: `s1.a${k}`, child: `c/${k}` })) },
    snapshot: null,
  });
  const text = shown({ checkpoints: [1, 2, 3, 4, 5, 6, 7].map(at) });
  expect(text).toContain('c7 2026-01-01T00:00:07Z, at a pause (suspended), turn 1, step 7, 2 children at work');
  expect(text).toContain('2 older ones, in --json');
  expect(text).not.toContain('c2 ');
  const { why: _none, ...damaged } = { ...at(1), at: null, turn: null, step: null, state: null, reason: null, why: '' };
  expect(shown({ checkpoints: [{ ...damaged, why: 'it is of a newer version' }] })).toContain(
    'c1 2026-01-01T00:00:01Z, cannot be read: it is of a newer version',
  );
});

test('R1.2 what the user said is shown, and the turns of the Thread that other attempts have', () => {
  const turn = (n: number, text: string) => ({
    attemptId: `repair/${n}`,
    state: 'COMPLETED' as const,
    reason: 'success' as const,
    turn: 1,
    words: [{ by: 'ana', text }],
  });
  const alone = shown({ thread: [turn(1, 'Which colour?')] });
  expect(alone).toContain('“Which colour?” (ana)');
  expect(alone).not.toMatch(/^thread/m);
  const text = shown({ continues: 'repair/0', thread: [turn(0, 'Hello.'), turn(1, 'Why?')] });
  expect(text).toMatch(/goes on +from repair\/0/);
  expect(text).toMatch(/thread +repair\/0 COMPLETED “Hello\.”/);
  expect(text).toContain('repair/1 COMPLETED “Why?”');
});

test('R12.3 what was taken over of the attempt before is said', () => {
  const text = shown({ took: { from: 'repair/0', snapshot: 'c'.repeat(40), effects: 1, messages: 2 } });
  expect(text).toContain('the record of repair/0: the files of cccccccccc, 1 effect, 2 messages');
  expect(shown({ took: { from: 'repair/0', snapshot: null, effects: 0, messages: 1 } })).toContain(
    '0 effects, 1 message',
  );
});
