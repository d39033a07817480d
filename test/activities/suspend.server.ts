import { revoke } from '../../src/ledger/effects/revocations';
import { insertMessage } from '../../src/ledger/inbox';
import type { PlannedAction } from '../../src/protocol/calls';
import type { BudgetRaise } from '../../src/protocol/messages';
import { type ActivityWorld, activityWorld } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { payloads } from '../support/effect-rows';
import { Gate, until } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { accountOf, modelTries, observations, rowsOf } from '../support/ledger-rows';
import { testPolicy } from '../support/test-policy';
import { ok, tool } from '../support/test-tools';

let world: ActivityWorld;
let gate: Gate | undefined;
beforeAll(async () => {
  const calls = [{ tool: 'read' }, { tool: 'read', args: { n: 2 } }];
  world = await activityWorld(
    { attempts: { slow: { 1: { text: 'Late.', delayMs: 60_000 } }, reads: { 1: { calls }, 2: { text: 'Done.' } } } },
    [
      tool({
        name: 'read',
        async run(_args, { signal }) {
          await gate?.pass(signal);
          return ok('Read.');
        },
      }),
    ],
    {},
    testPolicy(
      undefined,
      ['ben', 'eva'].map((name) => ({ name, roles: [] })),
    ),
  );
});
beforeEach(() => {
  gate = undefined;
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

const begin = async (task = 'reads', limits = {}) =>
  new AttemptDriver(await world.worker(), await world.attempt({ task, limits }));
const suspend = (attempt: AttemptDriver, id = 'halt') =>
  insertMessage(world.pool, attempt.ref, { id, kind: 'suspend', body: { by: 'ana' } });
const resume = (attempt: AttemptDriver, id: string, budget?: BudgetRaise, by = 'ben') =>
  insertMessage(world.pool, attempt.ref, { id, kind: 'resume', body: { by, ...(budget && { budget }) } });
const paused = { at: 'pause', state: 'SUSPENDED', reason: 'suspended' } as const;
/** The workflow says with its next call that it moved. */
const into = (state: 'SUSPENDED' | 'WAITING_FOR_MODEL', r: number) =>
  ({ riders: [{ r, event: { type: 'state_moved', payload: { path: [state] } } }] }) as const;

test('M5 a request to suspend is taken before anything is sent, by think and by act', async () => {
  const attempt = await begin();
  await suspend(attempt);
  expect(await attempt.think()).toMatchObject({
    answer: { kind: 'interrupted', suspend: true },
    named: [{ id: 'halt', as: 'taken' }],
  });
  expect(await modelTries(world.pool, attempt.ref)).toEqual([]);

  const other = await begin();
  const [action] = await other.actions();
  await suspend(other);
  expect((await other.act(action as PlannedAction)).answer).toEqual({ kind: 'interrupted', suspend: true });
  expect(await observations(world.pool, other.ref)).toEqual([]);
});

test('M5 a cancel beside a request to suspend goes first, in whatever order they came', async () => {
  const attempt = await begin();
  await suspend(attempt);
  await insertMessage(world.pool, attempt.ref, { id: 'stop', kind: 'cancel', body: { by: 'ana' } });
  expect((await attempt.think()).answer).toEqual({ kind: 'interrupted' });
});

test('M5 a model call in flight is broken off by it, and charged at its estimate like one that a cancel broke off', async () => {
  const attempt = await begin('slow');
  const abort = new AbortController();
  const thinking = attempt.think({ signal: abort.signal });
  await until(async () => (await modelTries(world.pool, attempt.ref)).length > 0, 'the call is in flight');
  await suspend(attempt);
  abort.abort(new Error('suspended'));

  expect((await thinking).answer).toEqual({ kind: 'interrupted', suspend: true });
  const [broken] = await modelTries(world.pool, attempt.ref);
  expect(broken).toMatchObject({ outcome: 'interrupted' });
  const account = await accountOf(world.pool, attempt.ref);
  expect(account.costMicroUsd).toBe(broken?.reserved.costMicroUsd);
  expect(account.reservedTokens).toBe(0);
});

test('M5 a read in flight is broken off by it', async () => {
  const attempt = await begin();
  const [action] = await attempt.actions();
  gate = new Gate();
  const abort = new AbortController();
  const reading = attempt.act(action as PlannedAction, { signal: abort.signal });
  await gate.reached(1);
  await suspend(attempt);
  abort.abort(new Error('suspended'));
  expect((await reading).answer).toEqual({ kind: 'interrupted', suspend: true });
});

test.each([
  [{ at: 'flush' }],
  [{ at: 'pause', state: 'WAITING_FOR_USER', reason: 'blocked' }],
  [{ at: 'wait', state: 'WAITING_FOR_APPROVAL', step: 1, index: 0 }],
  [{ at: 'repair', candidate: 1 }],
] as const)('R2.2 any active state is suspended: %j', async (args) => {
  const attempt = await begin();
  await attempt.think();
  await suspend(attempt);
  expect((await attempt.record(args)).answer).toEqual({ kind: 'suspend' });
  expect((await accountOf(world.pool, attempt.ref)).repairs).toBe(0);
});

test('R12.1 a suspension is one pause with its checkpoint, and neither a word nor time ends it', async () => {
  const attempt = await begin();
  await attempt.think();
  await attempt.record(paused, into('SUSPENDED', 1));
  await insertMessage(world.pool, attempt.ref, { id: 'word', kind: 'say', body: { text: 'Hello?' } });

  const woken = await attempt.record(paused, { wakes: ['word'], now: Date.now() + 1e9 });

  expect(woken).toMatchObject({ answer: { kind: 'none' }, named: [{ id: 'word', as: 'taken' }] });
  expect(await payloads(world.pool, attempt.ref, 'paused')).toEqual([{ state: 'SUSPENDED', reason: 'suspended' }]);
  expect(await rowsOf(world.pool, attempt.ref, 'select n from checkpoints where attempt = $1')).toHaveLength(1);
});

test('R9.1 resume goes on: what the batch left is told as not run, or is kept where the pause keeps it', async () => {
  const attempt = await begin();
  await attempt.actions();
  await attempt.record({ ...paused, keepsBatch: true }, into('SUSPENDED', 1));
  await resume(attempt, 'on');
  expect((await attempt.record({ ...paused, keepsBatch: true })).answer).toEqual({ kind: 'resume' });
  expect(await observations(world.pool, attempt.ref)).toEqual([]);

  await attempt.record(paused);
  await resume(attempt, 'again');
  expect((await attempt.record(paused)).answer).toEqual({ kind: 'resume' });
  expect((await observations(world.pool, attempt.ref)).map(({ code }) => code)).toEqual(['NOT_RUN', 'NOT_RUN']);
  expect((await attempt.think(into('WAITING_FOR_MODEL', 2))).answer).toMatchObject({ kind: 'proposal' });
});

test('R6.3 a limit is raised with the resume, is recorded, and lets the refused call through', async () => {
  const attempt = await begin('reads', { maxToolCalls: 1 });
  const [first, second] = await attempt.actions();
  await attempt.act(first as PlannedAction);
  expect((await attempt.act(second as PlannedAction)).answer).toMatchObject({
    kind: 'over_budget',
    limit: 'maxToolCalls',
  });
  const over = { at: 'pause', state: 'SUSPENDED', reason: 'budget_exceeded', keepsBatch: true } as const;
  await attempt.record(over, into('SUSPENDED', 1));

  await resume(attempt, 'lower', { maxToolCalls: 0 });
  expect(await attempt.record(over)).toMatchObject({
    answer: { kind: 'none' },
    named: [{ as: 'rejected', why: 'maxToolCalls is 1 now; a limit can only be raised. Nothing was resumed.' }],
  });
  await resume(attempt, 'raise', { maxToolCalls: 5, maxCostUsd: 3 });
  expect((await attempt.record(over)).answer).toEqual({ kind: 'resume' });

  expect(await payloads(world.pool, attempt.ref, 'limits_raised')).toEqual([
    { by: 'ben', limits: { maxToolCalls: 5, maxCostMicroUsd: 3_000_000 } },
  ]);
  expect((await attempt.act(second as PlannedAction)).answer).toEqual({ kind: 'observed', ok: true });
});

test('R5.5 where people are configured, nobody else and nobody revoked raises a limit; going on as it was is open to all', async () => {
  const attempt = await begin('reads', { maxToolCalls: 1 });
  await attempt.think();
  await attempt.record(paused, into('SUSPENDED', 1));
  await revoke(world.pool, 'default', { kind: 'principal', value: 'eva', reason: 'on leave', by: 'ben' });
  const words = { mallory: /names nobody as mallory.*Nothing was resumed/, eva: /on leave \(revoked by ben\)/ };
  for (const [by, why] of Object.entries(words)) {
    await resume(attempt, `raise-${by}`, { maxToolCalls: 50 }, by);
    expect(await attempt.record(paused)).toMatchObject({
      answer: { kind: 'none' },
      named: [{ as: 'rejected', why: expect.stringMatching(why) }],
    });
  }
  expect(await payloads(world.pool, attempt.ref, 'limits_raised')).toEqual([]);

  await resume(attempt, 'as-it-was', { maxToolCalls: 1 }, 'mallory');
  expect((await attempt.record(paused)).answer).toEqual({ kind: 'resume' });
});

test('M4 a resume elsewhere and a second suspend are rejected; a resume just behind a suspend is kept for the pause', async () => {
  const attempt = await begin();
  await resume(attempt, 'early');
  expect((await attempt.think()).named).toMatchObject([
    { id: 'early', as: 'rejected', why: expect.stringMatching(/not suspended/) },
  ]);

  await suspend(attempt);
  await resume(attempt, 'behind');
  const flushed = await attempt.record({ at: 'flush' }, { wakes: ['halt', 'behind'] });
  expect(flushed.answer).toEqual({ kind: 'suspend' });
  expect(flushed.named).toEqual([{ id: 'halt', as: 'taken', kind: 'suspend' }]);

  const resumed = await attempt.record(paused, into('SUSPENDED', 1));
  expect(resumed).toMatchObject({ answer: { kind: 'resume' }, named: [{ id: 'behind', as: 'taken' }] });

  await suspend(attempt, 'twice');
  expect((await attempt.record(paused)).named).toMatchObject([
    { id: 'twice', as: 'rejected', why: expect.stringMatching(/suspended already; "holdfast resume"/) },
  ]);
});

test('M4 a resume that a suspend follows leaves the attempt suspended', async () => {
  const attempt = await begin();
  await attempt.think();
  await attempt.record(paused, into('SUSPENDED', 1));
  await resume(attempt, 'on');
  await suspend(attempt, 'off');
  const woken = await attempt.record(paused);
  expect(woken.answer).toEqual({ kind: 'none' });
  expect(woken.named?.map(({ as }) => as)).toEqual(['taken', 'taken']);
});
