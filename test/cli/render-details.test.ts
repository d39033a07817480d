import type { AttemptDocument } from '../../src/cli/attempt-document';
import { renderDetails } from '../../src/cli/render-details';
import { defaultLimits, emptyAccount } from '../../src/domain/budget/account';

const document: AttemptDocument = {
  attemptId: 'repair/1',
  taskId: 'repair',
  workflowId: 'attempt/default/repair/1',
  kind: 'code_change',
  goal: 'g',
  state: 'SUSPENDED',
  reason: 'budget_exceeded',
  taskCompletion: null,
  modelStop: null,
  turn: 1,
  step: 1,
  budget: { limits: defaultLimits, used: emptyAccount },
  checks: [],
  effects: [],
  approvals: [],
  unknownEffects: [],
  waitsForEffect: null,
  tainted: false,
  startedBy: null,
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
