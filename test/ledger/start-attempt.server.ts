import type { Pool } from 'pg';
import { defaultLimits } from '../../src/domain/budget/account';
import { markWorkflowStarted, startAttempt } from '../../src/ledger/start-attempt';
import { contract, end, freshLedger, started, startRequest } from './support/ledger';

let pool: Pool;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ pool, close } = await freshLedger());
});
afterAll(() => close());

let tasks = 0;
/** A task of its own for each test. */
function freshTask(): string {
  tasks += 1;
  return `task-${tasks}`;
}
const rowsOf = async (table: string, task: string) =>
  (await pool.query(`select * from ${table} where attempt in (select key from attempts where task = $1)`, [task])).rows;

test('R1.1 a start makes the task, the contract, the attempt, its first message, its turn and its first event', async () => {
  const task = freshTask();
  const outcome = await startAttempt(pool, startRequest({ task }));

  expect(outcome).toMatchObject({
    kind: 'created',
    attempt: { ref: { tenant: 'default', id: `${task}/1` }, state: 'CREATED', reason: null, workflowStarted: false },
  });
  expect(await rowsOf('inputs', task)).toMatchObject([
    { ordinal: 1, turn: 1, after_step: 0, kind: 'message', body: { text: 'Please.' } },
  ]);
  expect(await rowsOf('turns', task)).toMatchObject([{ turn: 1, first_step: 1 }]);
  expect(await rowsOf('events', task)).toMatchObject([
    { sequence: 1, move: 0, k: 0, type: 'attempt_created', payload: { contractVersion: 1 } },
  ]);
});

test('R1.1 the same start again, also by many at once, is one attempt', async () => {
  const task = freshTask();
  const outcomes = await Promise.all(Array.from({ length: 12 }, () => startAttempt(pool, startRequest({ task }))));

  expect(outcomes.filter(({ kind }) => kind === 'created')).toHaveLength(1);
  expect(outcomes.filter(({ kind }) => kind === 'running')).toHaveLength(11);
  expect(new Set(outcomes.map(({ attempt }) => attempt.ref.key)).size).toBe(1);
  expect(await rowsOf('events', task)).toHaveLength(1);
});

test('different starts of one task by many at once make one attempt, and the others are told of it', async () => {
  const task = freshTask();
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, (_, index) => startAttempt(pool, startRequest({ task, input: `${index}` }))),
  );
  expect(outcomes.filter(({ kind }) => kind === 'created')).toHaveLength(1);
  expect(outcomes.filter(({ kind }) => kind === 'refused')).toHaveLength(7);
});

test.each([
  ['another contract', { contract: { ...contract, goal: 'Something else.' } }, 'contract'],
  ['another first message', { input: 'Hurry.' }, 'input'],
  ['another budget', { limits: { ...defaultLimits, maxTurns: 3 } }, 'input'],
  [
    'another model',
    { snapshot: { ...startRequest().snapshot, models: [{ name: 'b', quick: true, timeoutMs: 1 }] } },
    'input',
  ],
])('while one runs, a start with %s is refused, and nothing is made', async (_what, change, differs) => {
  const task = freshTask();
  const ref = await started(pool, { task });

  expect(await startAttempt(pool, startRequest({ task, ...change }))).toMatchObject({
    kind: 'refused',
    differs,
    attempt: { ref },
  });
  expect(await rowsOf('events', task)).toHaveLength(1);
});

test('what was measured about a model is no wish: the start is the same', async () => {
  const task = freshTask();
  await started(pool, { task });
  const snapshot = { ...startRequest().snapshot, models: [{ name: 'default', quick: false, timeoutMs: 9 }] };
  expect((await startAttempt(pool, startRequest({ task, snapshot }))).kind).toBe('running');
});

test('beside one that runs, another is made where it is asked for', async () => {
  const task = freshTask();
  await started(pool, { task });
  const second = await startAttempt(pool, startRequest({ task, beside: true }));
  expect(second).toMatchObject({ kind: 'created', attempt: { ref: { id: `${task}/2` } } });
});

test('a task completed under the same contract gives that result, and another attempt only with again', async () => {
  const task = freshTask();
  const first = await started(pool, { task });
  await end(pool, first, 'COMPLETED', 'success');

  expect(await startAttempt(pool, startRequest({ task, input: 'Once more.' }))).toMatchObject({
    kind: 'completed_before',
    attempt: { ref: first, state: 'COMPLETED', reason: 'success' },
  });
  expect(await startAttempt(pool, startRequest({ task, again: true }))).toMatchObject({
    kind: 'created',
    attempt: { ref: { id: `${task}/2` } },
  });
  expect((await startAttempt(pool, startRequest({ task, again: true }))).kind).toBe('running');
});

test('R1.1 a further start by many at once is one further attempt', async () => {
  const task = freshTask();
  await end(pool, await started(pool, { task }), 'COMPLETED', 'success');
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, () => startAttempt(pool, startRequest({ task, again: true }))),
  );
  expect(outcomes.filter(({ kind }) => kind === 'created')).toHaveLength(1);
  expect(new Set(outcomes.map(({ attempt }) => attempt.ref.id))).toEqual(new Set([`${task}/2`]));
});

test('R3.5 an attempt that failed or was cancelled is no result: the next start tries again', async () => {
  const task = freshTask();
  await end(pool, await started(pool, { task }), 'FAILED', 'failed');
  await end(pool, await started(pool, { task }), 'CANCELLED', 'cancelled');
  expect(await startAttempt(pool, startRequest({ task }))).toMatchObject({
    kind: 'created',
    attempt: { ref: { id: `${task}/3` } },
  });
});

test('a contract has one version for one content, and an earlier content its earlier version', async () => {
  const task = freshTask();
  const versionOf = async (goal: string) => {
    const ref = await started(pool, { task, contract: { ...contract, goal }, beside: true });
    return (await pool.query('select contract_version from attempts where key = $1', [ref.key])).rows[0]
      .contract_version;
  };
  expect([await versionOf('a'), await versionOf('b'), await versionOf('a')]).toEqual([1, 2, 1]);
});

test('R12.5 tenants do not see each other: the same task of two is two', async () => {
  const task = freshTask();
  const first = await started(pool, { task });
  const other = await startAttempt(pool, startRequest({ task, tenant: 'other' }));
  expect(other).toMatchObject({ kind: 'created', attempt: { ref: { tenant: 'other', id: first.id } } });
});

test('a text that PostgreSQL does not take as it is, is stored nevertheless', async () => {
  const task = freshTask();
  await started(pool, { task, input: 'a\u0000b' });
  expect(await rowsOf('inputs', task)).toMatchObject([{ body: { text: 'a\uFFFDb' } }]);
});

test('the workflow is marked as started once, and the next start knows', async () => {
  const task = freshTask();
  const ref = await started(pool, { task });
  await markWorkflowStarted(pool, ref);
  const at = async () =>
    (await pool.query('select workflow_started_at as at from attempts where key = $1', [ref.key])).rows[0].at;
  const first = await at();
  await markWorkflowStarted(pool, ref);
  expect(await at()).toEqual(first);
  expect((await startAttempt(pool, startRequest({ task }))).attempt.workflowStarted).toBe(true);
});
