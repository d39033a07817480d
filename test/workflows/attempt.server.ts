import { WorkflowNotFoundError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { CallAnswers } from '../../src/protocol/calls';
import { failureTypes } from '../../src/protocol/calls';
import type { UpdateReply } from '../../src/protocol/messages';
import { until } from '../support/gate';
import { moves } from './support/decide';
import { expectAllReplay } from './support/expect-replays';
import type { FakeLedger, Script } from './support/fake-ledger';
import { action, codeChange, done, proposal } from './support/inputs';
import { eventually, type Handle, Hang, Lab } from './support/lab';

let lab: Lab;
beforeAll(async () => {
  lab = await Lab.open();
});
afterAll(async () => await lab.close());

const quickModels = [{ name: 'main', quick: true, timeoutMs: 1_000 }];
const asking: Script = { think: ({ turn }) => (turn === 1 ? proposal({ kind: 'ask' }) : proposal({ kind: 'text' })) };
const success = { state: 'COMPLETED', reason: 'success' };
const cancelled = { state: 'CANCELLED', reason: 'cancelled' };

const isPaused = (ledger: FakeLedger) => moves(ledger).at(-1)?.includes('record pause → none') ?? false;
const paused = (ledger: FakeLedger) => eventually('a pause', () => isPaused(ledger));

async function events(handle: Handle) {
  return (await handle.fetchHistory()).events ?? [];
}
async function timers(handle: Handle): Promise<number[]> {
  return (await events(handle)).flatMap(({ timerStartedEventAttributes: timer }) =>
    timer
      ? [Number(timer.startToFireTimeout?.seconds ?? 0) * 1_000 + (timer.startToFireTimeout?.nanos ?? 0) / 1e6]
      : [],
  );
}
const steps =
  (count: number, quick: boolean): Required<Script>['think'] =>
  ({ step }) =>
    step < count ? proposal({ kind: 'actions' }, action(0, { quick })) : proposal({ kind: 'text' });

test('R3.3 a dialog ends with its final answer', async () => {
  const { handle, ledger } = await lab.start({ think: steps(2, false) });
  expect(await handle.result()).toEqual(success);
  expect(moves(ledger)).toEqual([
    '1 think → proposal',
    '2 act → observed',
    '3 think → proposal',
    '4 record end → ended',
  ]);
});

test('R3.4 a code change that fails its check is repaired, verified again and committed', async () => {
  const { handle, ledger } = await lab.start(
    {
      think: () => proposal(done),
      verify: ({ candidate, criterion }) => ({
        kind: 'checked',
        met: candidate > 1 || criterion === 'diff',
        feedback: true,
      }),
    },
    codeChange,
  );
  expect(await handle.result()).toEqual(success);
  expect(moves(ledger)).toEqual([
    '1 prepare → ready',
    '2 think → proposal',
    '3 verify → checked',
    '4 verify → checked',
    '5 record repair → repair',
    '6 think → proposal',
    '7 verify → checked',
    '8 verify → checked',
    '9 commit → committed',
    '10 record end → ended',
  ]);
});

test('R8.5 a transient failure is retried after 1, 2 and 4 s with jitter, or as Retry-After says, then the fallback', async () => {
  const busy = (retryAfterMs?: number): CallAnswers['think'] => ({
    kind: 'failed',
    failure: { class: 'model_transient', code: 'RATE_LIMITED', ...(retryAfterMs && { retryAfterMs }) },
  });
  const { handle, ledger } = await lab.start(
    {
      think: ({ model, try: tryNumber }) =>
        model === 1 ? proposal({ kind: 'text' }) : busy(tryNumber === 2 ? 20_000 : undefined),
    },
    {
      models: [
        { name: 'main', quick: false, timeoutMs: 1_000 },
        { name: 'backup', quick: false, timeoutMs: 1_000 },
      ],
    },
  );
  expect(await handle.result()).toEqual(success);
  expect(ledger.moves.slice(0, 5).map(({ args }) => args)).toEqual([
    { step: 1, turn: 1, model: 0, try: 1 },
    { step: 1, turn: 1, model: 0, try: 2 },
    { step: 1, turn: 1, model: 0, try: 3 },
    { step: 1, turn: 1, model: 0, try: 4 },
    { step: 1, turn: 1, model: 1, try: 5 },
  ]);
  const [first = 0, second = 0, third = 0, ...more] = await timers(handle);
  expect([
    first >= 750 && first <= 1_250,
    second >= 20_000 && second <= 21_000,
    third >= 3_000 && third <= 5_000,
  ]).toEqual([true, true, true]);
  expect(more).toEqual([]);
});

test('R1.3 a tool that fails for a moment is tried again as the same action, until the ledger says what was seen', async () => {
  const { handle, ledger } = await lab.start({
    think: steps(2, false),
    act: ({ try: tryNumber }) =>
      tryNumber === 4
        ? { kind: 'observed', ok: false }
        : { kind: 'failed', failure: { class: 'tool_transient', code: 'BUSY' } },
  });
  expect(await handle.result()).toEqual(success);
  expect(ledger.moves.filter(({ kind }) => kind === 'act').map(({ args }) => args)).toEqual(
    [1, 2, 3, 4].map((tryNumber) => ({ step: 1, index: 0, hash: 'hash0', try: tryNumber })),
  );
});

test.each([true, false])(
  'M2 a call that nobody answers is sent 3 times and given up, and a person is asked (local: %p)',
  async (quick) => {
    let executions = 0;
    const { handle, ledger } = await lab.start(
      {
        think: () => {
          executions += 1;
          throw new Error('a bug');
        },
      },
      { models: [{ name: 'main', quick, timeoutMs: 1_000 }] },
    );
    await eventually('given up', () => moves(ledger)[0] === '1 think → gave_up');
    await paused(ledger);
    expect(executions).toBe(3);
    expect(await handle.query('status')).toMatchObject({ state: 'WAITING_FOR_USER', reason: 'blocked', move: 2 });
    await handle.signal('cancel', { by: 'test' });
    expect(await handle.result()).toEqual(cancelled);
  },
);

test.each([true, false])(
  'M2 a ledger that is away is waited for, without counting or billing (local: %p)',
  async (quick) => {
    let away = 40;
    const { handle, ledger } = await lab.start(
      {
        think: () => {
          away -= 1;
          if (away >= 0) throw ApplicationFailure.nonRetryable('no route', failureTypes.ledgerUnavailable);
          return proposal({ kind: 'text' });
        },
      },
      { models: [{ name: 'main', quick, timeoutMs: 1_000 }] },
    );
    expect(await handle.result()).toEqual(success);
    expect(moves(ledger)).toEqual(['1 think → proposal', '2 record end → ended']);
    expect(ledger.calls.filter(({ kind }) => kind === 'think')).toHaveLength(41);
    const waited = await timers(handle);
    expect(waited).toHaveLength(40);
    expect(Math.max(...waited)).toBeGreaterThan(2 * Math.min(...waited));
    const outageMs = waited.reduce((sum, ms) => sum + ms, 0);
    expect(ledger.calls.at(-1)?.call.activeMs).toBeLessThan(outageMs / 2);
  },
);

const ways: [string, (handle: Handle) => Promise<unknown>][] = [
  ['signal', (handle) => handle.signal('cancel', { by: 'ana', reason: 'changed my mind' })],
  ['update', (handle) => handle.executeUpdate('cancel', { args: [{ by: 'ana' }] })],
  ['native cancellation', (handle) => handle.cancel()],
];
test.each(ways)('M5 R11.1 a cancel by %s ends a model call in flight', async (_way, cancel) => {
  let sent = 0;
  const { handle, ledger } = await lab.start({
    think: () => {
      sent += 1;
      throw new Hang('still thinking');
    },
  });
  await eventually('the call is in flight', () => sent === 1);
  await cancel(handle);
  expect(await handle.result()).toEqual(cancelled);
  expect(moves(ledger)).toEqual(['1 think → interrupted', '2 settle → ended']);
  expect(sent).toBeLessThanOrEqual(2);
});
test('M5 R11.1 a cancel ends a check in flight, which may take as long as a test suite', async () => {
  let sent = 0;
  const { handle, ledger } = await lab.start(
    {
      think: () => proposal(done),
      verify: () => {
        sent += 1;
        throw new Hang('still testing');
      },
    },
    codeChange,
  );
  await eventually('the check is in flight', () => sent === 1);
  await handle.signal('cancel', { by: 'ana' });
  expect(await handle.result()).toEqual(cancelled);
  expect(moves(ledger).slice(-2)).toEqual(['3 verify → interrupted', '4 settle → ended']);
});
test.each(ways)('M5 a cancel by %s ends a pause', async (_way, cancel) => {
  const { handle, ledger } = await lab.start(asking, { models: quickModels });
  await paused(ledger);
  await cancel(handle);
  expect(await handle.result()).toEqual(cancelled);
  expect(moves(ledger).slice(-2)).toEqual(['3 record pause → cancel', '4 settle → ended']);
});

test('M4 an update returns once its message is named, and what is said in a pause goes on in the next turn', async () => {
  const { handle, ledger } = await lab.start(asking, { models: quickModels });
  await paused(ledger);
  const reply: UpdateReply = await handle.executeUpdate('say', { args: [{ text: 'blue', by: 'ana' }], updateId: 'u1' });
  expect(reply).toEqual({ taken: true });
  expect(await handle.result()).toEqual(success);
  expect(ledger.inbox.get('update/u1')).toMatchObject({ as: 'taken', message: { body: { text: 'blue', by: 'ana' } } });
  expect(ledger.moves.at(-2)?.args).toMatchObject({ turn: 2, step: 2 });
});

test('M4 a stored message wakes by its id, and what is said in the middle of a run is taken by the next call', async () => {
  const { id, handle, ledger } = await startSlowly();
  expect(ledger.insert({ id, kind: 'say', body: { text: 'one more thing' } })).toBe(true);
  await handle.signal('say', { messageId: id });
  expect(await handle.result()).toEqual(success);
  expect(ledger.inbox.get(id)).toMatchObject({ as: 'taken' });

  async function startSlowly() {
    const started = await lab.start({ think: steps(30, false) });
    await eventually('a few steps', () => started.ledger.moves.length > 4);
    return { ...started, id: 'row-1' };
  }
});

test('M4 a signal that nobody knows is kept and rejected, and changes nothing', async () => {
  const { handle, ledger } = await lab.start(asking, { models: quickModels });
  await paused(ledger);
  await handle.signal('approve', { actionId: 's1.a0', by: 'ana' });
  await eventually('rejected', () => ledger.inbox.get('signal/1')?.as === 'rejected');
  expect(await handle.executeUpdate('say', { args: [{ words: 'blue' }] })).toMatchObject({ taken: false });
  await handle.signal('say', { text: 'blue' });
  expect(await handle.result()).toEqual(success);
  expect(ledger.inbox.get('signal/2')).toMatchObject({ as: 'taken' });
});

test('M4 signals that came before any worker keep the ids of their order, whatever their names', async () => {
  const taskQueue = 'late';
  const { id, ledger, input: args } = lab.prepare(asking, { models: quickModels });
  const workflowId = `attempt/default/${id}`;
  const handle = await lab.env.client.workflow.signalWithStart('attempt', {
    taskQueue,
    workflowId,
    args: [args],
    signal: 'wave',
    signalArgs: [{}],
  });
  await handle.signal('say', { text: 'hello' });
  await handle.signal('wave', {});
  const worker = await lab.workerOn(taskQueue);
  await worker.runUntil(eventually('all named', () => [...ledger.inbox.values()].filter(({ as }) => as).length === 3));
  expect([...ledger.inbox].map(([key, { message }]) => [key, message.kind])).toEqual([
    ['signal/1', 'unknown'],
    ['signal/2', 'say'],
    ['signal/3', 'unknown'],
  ]);
  await handle.terminate('the test is over');
});

test('R12.4 a run continues as new between steps, and ids, events and numbers go on', async () => {
  const { handle, ledger } = await lab.start({ think: steps(7, true) }, { models: quickModels, stepsPerRun: 3 });
  expect(await handle.result()).toEqual(success);
  expect(
    ledger.moves.filter(({ kind }) => kind === 'think').map(({ args }) => (args as { step: number }).step),
  ).toEqual([1, 2, 3, 4, 5, 6, 7]);
  const first = await lab.env.client.workflow.getHandle(handle.workflowId, handle.firstExecutionRunId).fetchHistory();
  expect(first.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId).toBeTruthy();
});

test("R6.1 run time is judged by the workflow's time, which waits for a model count in", async () => {
  const { handle, ledger } = await lab.start({
    think: (_args, { activeMs }) =>
      activeMs > 90_000
        ? { kind: 'over_budget', limit: 'maxRuntimeMs' }
        : { kind: 'failed', failure: { class: 'model_transient', code: 'OVERLOADED', retryAfterMs: 50_000 } },
  });
  await lab.env.sleep('10m');
  expect(moves(ledger)).toEqual([
    '1 think → failed',
    '2 think → failed',
    '3 think → over_budget',
    '4 record pause → none',
  ]);
  expect(await handle.query('pending')).toMatchObject([{ kind: 'budget', reason: 'budget_exceeded' }]);
  await handle.signal('cancel', { by: 'test' });
  expect(await handle.result()).toEqual(cancelled);
});

test('M1 a number that holds another call fails the workflow task, and never the attempt', async () => {
  const settled: FakeLedger['moves'][number] = {
    n: 1,
    kind: 'settle',
    args: {},
    answered: { answer: { kind: 'interrupted' }, acked: 0 },
  };
  const { handle } = await lab.start(asking, {}, { before: ({ moves }) => moves.push(settled) });
  let failed: Awaited<ReturnType<typeof events>> = [];
  await until(async () => {
    failed = (await events(handle)).filter(
      ({ workflowTaskFailedEventAttributes }) => workflowTaskFailedEventAttributes,
    );
    return failed.length > 0;
  }, 'a failed task');
  expect(failed[0]?.workflowTaskFailedEventAttributes?.failure?.message).toContain('move 1 is');
  expect((await handle.describe()).status.name).toBe('RUNNING');
  await handle.terminate('the test is over');
});

test('R2.3 the Temporal UI shows what an attempt waits for, and an ended one still answers queries', async () => {
  const { handle, ledger } = await lab.start(asking, { models: quickModels });
  await paused(ledger);
  const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  expect(currentDetails).toContain('**WAITING_FOR_USER** (waiting_for_user)');
  await handle.signal('say', { text: 'blue' });
  await handle.result();
  expect(await handle.query('taskState')).toMatchObject({ state: 'COMPLETED', turn: 2, step: 2 });
  await expect(handle.signal('say', { text: 'late' })).rejects.toThrow(WorkflowNotFoundError);
});

test('every history of this file replays on the code here', async () => {
  expect(lab.handles.length).toBeGreaterThan(20);
  await expectAllReplay(lab);
});
