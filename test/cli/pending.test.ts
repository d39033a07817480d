import { pendingOf } from '../../src/cli/pending';
import { defaultLimits, emptyAccount } from '../../src/domain/budget/account';
import type { AttemptDetails } from '../../src/ledger/queries/attempt-details';

function details(change: Partial<AttemptDetails>): AttemptDetails {
  return {
    attemptId: 'repair/1',
    taskId: 'repair',
    workflowId: 'attempt/default/repair/1',
    kind: 'dialog',
    goal: 'g',
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
const command = 'holdfast say repair/1 "…"';

test('R3.2 a question is pending with its action, its choices and the command that answers it', () => {
  const asked = called('ask_user', '{"question":"Which?","choices":["a","b"]}');
  expect(pendingOf(details(asked))).toEqual([
    { kind: 'question', actionId: 'repair/1/s1.a0', text: 'Which?', choices: ['a', 'b'], command },
  ]);
});

test('R3.2 a report of being blocked is pending in its own words', () => {
  const blocked = called('finish', '{"status":"blocked","summary":"No key."}');
  expect(pendingOf(details({ ...blocked, reason: 'blocked' }))).toEqual([
    { kind: 'message', text: 'No key.', command },
  ]);
});

test.each([
  ['a plain stop', called('read_file', '{}')],
  ['arguments that are no JSON', called('ask_user', '{"question":')],
  ['arguments that are kept elsewhere', called('ask_user', null)],
])('%s is pending with what the model said', (_what, last) => {
  expect(pendingOf(details({ ...last, reason: 'turn_stopped' }))).toEqual([
    { kind: 'message', text: 'So it is.', command },
  ]);
});

test('R6.3 a suspension is pending with the limit that it was about', () => {
  const exceeded = { limit: 'maxTurns', used: 3, max: 3 };
  expect(pendingOf(details({ state: 'SUSPENDED', reason: 'budget_exceeded', exceeded }))).toEqual([
    {
      kind: 'budget',
      text: 'maxTurns exceeded: 3 of 3',
      advice: expect.stringContaining('raise budget.maxTurns in the task file'),
      command: 'holdfast cancel repair/1',
    },
  ]);
});

test('R6.3 a limit has the name and the unit that it has in the task file', () => {
  const exceeded = { limit: 'maxRuntimeMs', used: 601_000, max: 600_000 };
  expect(pendingOf(details({ state: 'SUSPENDED', reason: 'budget_exceeded', exceeded }))[0]).toMatchObject({
    text: 'maxRuntimeSeconds exceeded: 10 min 1 s of 10 min 0 s',
    advice: expect.stringContaining('budget.maxRuntimeSeconds'),
  });
});

test('R8.4 what stood in the way is said instead of what the model said before', () => {
  const trouble = { kind: 'model', what: 'default', code: 'NO_KEY', detail: 'no key' } as const;
  expect(pendingOf(details({ ...called('read_file', '{}'), reason: 'blocked', trouble }))).toEqual([
    { kind: 'message', text: 'model default failed: NO_KEY · no key', trouble, advice: expect.any(String), command },
  ]);
});

test.each(['COMPLETED', 'FAILED', 'CANCELLED', 'EXECUTING_TOOL', 'CREATED'] as const)(
  'nothing is pending in %s',
  (state) => {
    expect(pendingOf(details({ ...called('ask_user', '{"question":"Which?"}'), state }))).toEqual([]);
  },
);
