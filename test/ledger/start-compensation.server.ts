import type { Pool } from 'pg';
import { defaultLimits } from '../../src/domain/budget/account';
import { createLedger } from '../../src/ledger/ledger';
import { attemptDetails } from '../../src/ledger/queries/attempt-details';
import { undoableEffect } from '../../src/ledger/queries/undoable-effect';
import { type CompensationRequest, startCompensation } from '../../src/ledger/start-compensation';
import { verifyLedger } from '../../src/ledger/verify/verify-ledger';
import type { AttemptRef } from '../../src/protocol/ids';
import { end, freshLedger, started } from './support/ledger';
import { keys, writeSoundEffects } from './verify/sound-effects';

let pool: Pool;
let close: () => Promise<void>;
let ref: AttemptRef;
beforeAll(async () => {
  ({ pool, close } = await freshLedger());
  ref = await started(pool, { task: 'refunds' });
  await writeSoundEffects(pool, ref);
});
afterAll(() => close());

const request = (change: Partial<CompensationRequest> = {}): CompensationRequest => ({
  tenant: 'default',
  effect: { key: keys.committed, generation: 1 },
  tool: { name: 'reverse_refund', effect: 'deduplicated', quick: false, timeoutMs: 5_000 },
  args: { refundId: 'r-7' },
  limits: defaultLimits,
  snapshot: { flow: 1, stepsPerRun: 100, searchAttributes: false },
  versions: { holdfast: '0' },
  by: 'ana',
  ...change,
});
const settle = (phase: string) =>
  pool.query('update effects set phase = $2 where key = $1 and generation = 1', [keys.committed, phase]);

test('E9 what an effect did is known to whoever would undo it', async () => {
  expect(await undoableEffect(pool, ref, { step: 1, index: 0 })).toEqual({
    key: keys.committed,
    generation: 1,
    phase: 'COMMITTED',
    tool: 'tool',
    args: { text: '{"amount":40}' },
    output: 'Done.',
    downstreamId: null,
  });
  expect(await undoableEffect(pool, ref, { step: 7, index: 0 })).toBeUndefined();
});

test.each([
  ['an effect that nobody knows', { key: 'tool/nothing', generation: 1 }, undefined],
  ['an effect that did not happen', { key: keys.refused, generation: 1 }, 'NOT_COMMITTED'],
  ['an effect of which nobody can tell', { key: keys.open, generation: 1 }, 'UNKNOWN'],
])('E9 %s is not undone, and nothing is stored', async (_what, effect, phase) => {
  const tasks = async () => (await pool.query('select count(*)::int as n from tasks')).rows[0].n;
  const before = await tasks();
  expect(await startCompensation(pool, request({ effect }))).toEqual({ kind: 'not_committed', phase });
  expect(await tasks()).toBe(before);
});

test('E9 a committed effect is undone by an attempt of its own, whose first step is its one action', async () => {
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => startCompensation(pool, request())));
  expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['created', ...Array(5).fill('running')]);
  const [outcome] = outcomes.filter(({ kind }) => kind === 'created');
  if (outcome?.kind !== 'created') throw new Error('nothing was created');
  const compensation = outcome.attempt.ref;

  expect(compensation.id).toMatch(/^compensate\.[0-9a-f]{16}\/1$/);
  const ledger = createLedger(pool);
  const action = await ledger.action(compensation, 1, 0);
  expect(action).toMatchObject({ tool: 'reverse_refund', args: { text: '{"refundId":"r-7"}' } });
  expect(outcome.attempt.snapshot).toMatchObject({
    kind: 'dialog',
    models: [],
    criteria: [],
    hasWorkspace: false,
    compensation: {
      action: { index: 0, tool: 'reverse_refund', hash: action?.argsHash.slice(0, 16), quick: false, timeoutMs: 5_000 },
      effect: { key: keys.committed, generation: 1 },
    },
  });
  expect(await ledger.attempt(compensation)).toMatchObject({ step: 1, turn: 1, startedBy: 'ana', state: 'CREATED' });
  expect((await ledger.contract(compensation)).tools).toEqual(['reverse_refund']);
  expect(await attemptDetails(pool, compensation)).toMatchObject({ step: 1, startedBy: 'ana', workflowStarted: false });
  expect(await verifyLedger(pool)).toEqual([]);
});

test('E9 while one runs, other arguments are refused; after it failed, they are tried', async () => {
  const other = request({ args: { refundId: 'r-8' } });
  const running = await startCompensation(pool, other);
  if (running.kind !== 'refused') throw new Error(`not refused: ${running.kind}`);
  expect(running.differs).toBe('input');

  await end(pool, running.attempt.ref, 'FAILED', 'failed');
  expect(await startCompensation(pool, other)).toMatchObject({
    kind: 'created',
    attempt: { ref: { id: expect.stringMatching(/\/2$/) } },
  });
});

test('E9 an effect that is compensated is not undone again: its compensation is returned', async () => {
  const running = await startCompensation(pool, request({ args: { refundId: 'r-8' } }));
  if (running.kind !== 'running') throw new Error(`not running: ${running.kind}`);
  await settle('COMPENSATED');
  expect((await startCompensation(pool, request())).kind).toBe('running');
  await end(pool, running.attempt.ref, 'COMPLETED', 'success');
  expect(await startCompensation(pool, request())).toMatchObject({
    kind: 'completed_before',
    attempt: { ref: running.attempt.ref },
  });
});
