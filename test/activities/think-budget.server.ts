import type { Limits } from '../../src/domain/budget/account';
import { insertMessage } from '../../src/ledger/inbox';
import { type ActivityWorld, activityWorld } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { brokenInvariants } from '../support/ledger-invariants';
import { accountOf, eventTypes, modelTries, rowsOf } from '../support/ledger-rows';
import { ok, tool } from '../support/test-tools';

const usage = { promptTokens: 100, completionTokens: 10 };
let world: ActivityWorld;
beforeAll(async () => {
  const noop = tool({ name: 'noop', run: () => ok('') });
  const bad = tool({
    name: 'bad',
    run: () => ({
      ok: false,
      failure: { class: 'tool_business', code: 'NOPE' },
      error: { code: 'NOPE', message: 'No.', retryable: false, suggested_action: 'Stop.' },
    }),
  });
  const entries = [
    { attempt: 'failing', from: 1, calls: [{ tool: 'bad', args: { n: '{#step}' } }], usage },
    { attempt: 'mixed', from: 1, to: 2, calls: [{ tool: 'bad', args: { n: '{#step}' } }], usage },
    { attempt: 'mixed', from: 3, calls: [{ tool: 'noop' }], usage },
    { from: 1, calls: [{ tool: 'noop', args: { n: '{#step}' } }], usage },
  ];
  world = await activityWorld({ entries }, [noop, bad]);
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

async function begin(limits: Partial<Limits>, task = 'spend'): Promise<AttemptDriver> {
  return new AttemptDriver(await world.worker(), await world.attempt({ task, limits }));
}
const requestsOf = (attempt: AttemptDriver) =>
  world.model.requests().filter((request) => request.attempt === attempt.ref.id).length;
const exceeded = (limit: keyof Limits) => ({ kind: 'over_budget', limit, least: expect.any(Number) });
const exceededEvent = async (attempt: AttemptDriver) =>
  (
    await rowsOf<{ payload: unknown }>(
      world.pool,
      attempt.ref,
      `select payload from events where attempt = $1 and type = 'budget_exceeded'`,
    )
  ).map(({ payload }) => payload);

test.each([
  ['maxTokens' as const, 1_000],
  ['maxCostMicroUsd' as const, 3_000],
])('R6.1 %s refuses a model call before it is sent, and holds nothing', async (limit, max) => {
  const attempt = await begin({ [limit]: max });

  expect((await attempt.think()).answer).toEqual(exceeded(limit));

  expect(requestsOf(attempt)).toBe(0);
  expect(await modelTries(world.pool, attempt.ref)).toEqual([]);
  expect(await exceededEvent(attempt)).toEqual([{ limit, used: 0, max, ask: expect.any(Number) }]);
});

test('R6.1 run time is judged by the workflow’s clock, for a model call and for an action', async () => {
  const attempt = await begin({ maxRuntimeMs: 5_000 });
  const [action] = await attempt.actions({ activeMs: 5_000 });
  if (!action) throw new Error('No action.');
  expect((await attempt.act(action, { activeMs: 5_001 })).answer).toEqual(exceeded('maxRuntimeMs'));

  const slow = await begin({ maxRuntimeMs: 5_000 });
  expect((await slow.think({ activeMs: 5_001 })).answer).toEqual(exceeded('maxRuntimeMs'));
  expect(requestsOf(slow)).toBe(0);
});

test('R6.1 maxToolCalls permits as many calls and refuses the next, which is not run', async () => {
  const attempt = await begin({ maxToolCalls: 2 });
  await attempt.stepWithOneAction();
  await attempt.stepWithOneAction();

  expect((await attempt.stepWithOneAction()).answer).toEqual(exceeded('maxToolCalls'));
  expect(await accountOf(world.pool, attempt.ref)).toMatchObject({ toolCalls: 2 });
});

test('R6.1 errors of one tool in a row end at maxSameToolErrors, and a success between them counts from zero', async () => {
  const failing = await begin({ maxSameToolErrors: 2 }, 'failing');
  await failing.stepWithOneAction();
  await failing.stepWithOneAction();
  expect((await failing.stepWithOneAction()).answer).toEqual(exceeded('maxSameToolErrors'));

  const mixed = await begin({ maxSameToolErrors: 3 }, 'mixed');
  for (let step = 1; step <= 3; step += 1) await mixed.stepWithOneAction();
  expect(await accountOf(world.pool, mixed.ref)).toMatchObject({ toolErrors: { bad: 2 } });
});

test('R6.1 maxTurns counts the first message, and refuses the message that would begin one more', async () => {
  const attempt = await begin({ maxTurns: 2 });
  const pause = { at: 'pause', state: 'WAITING_FOR_USER', reason: 'waiting_for_user' } as const;
  await attempt.think();
  await insertMessage(world.pool, attempt.ref, { id: 'one', kind: 'say', body: { text: 'More.' } });
  expect((await attempt.record(pause)).answer).toEqual({ kind: 'said', turn: 2 });
  attempt.turn = 2;
  await attempt.think();

  await insertMessage(world.pool, attempt.ref, { id: 'two', kind: 'say', body: { text: 'And more.' } });

  expect((await attempt.record(pause)).answer).toEqual(exceeded('maxTurns'));
});

test('R6.1 maxRepairs refuses the repair after the last one', async () => {
  const attempt = await begin({ maxRepairs: 1 });
  expect((await attempt.record({ at: 'repair', candidate: 1 })).answer).toEqual({ kind: 'repair' });
  expect((await attempt.record({ at: 'repair', candidate: 2 })).answer).toEqual(exceeded('maxRepairs'));
});

test('R6.3 exhaustion suspends with a checkpoint once, and the same call goes on under a higher limit', async () => {
  const attempt = await begin({ maxTokens: 1_000 });
  await attempt.think();
  const suspended = { at: 'pause', state: 'SUSPENDED', reason: 'budget_exceeded' } as const;
  await attempt.record(suspended);
  await attempt.record(suspended);

  expect((await eventTypes(world.pool, attempt.ref)).filter((type) => type === 'paused')).toHaveLength(1);
  expect(await rowsOf(world.pool, attempt.ref, 'select body from checkpoints where attempt = $1')).toEqual([
    { body: expect.objectContaining({ state: 'SUSPENDED', reason: 'budget_exceeded', v: 3 }) },
  ]);

  await world.pool.query(`update attempts set limits = limits || '{"maxTokens": 100000}' where key = $1`, [
    attempt.ref.key,
  ]);
  expect((await attempt.thinkAgain(1)).answer).toMatchObject({ kind: 'proposal' });
});

test('R6.3 a word to a suspended attempt raises no limit and is kept for the model', async () => {
  const attempt = await begin({ maxTokens: 1_000 });
  await attempt.think();
  await insertMessage(world.pool, attempt.ref, { id: 'say', kind: 'say', body: { text: 'Go on!' } });

  const { answer, named } = await attempt.record({ at: 'pause', state: 'SUSPENDED', reason: 'budget_exceeded' });

  expect(answer).toEqual({ kind: 'none' });
  expect(named).toEqual([{ id: 'say', as: 'taken', kind: 'say' }]);
  await world.pool.query(`update attempts set limits = limits || '{"maxTokens": 100000}' where key = $1`, [
    attempt.ref.key,
  ]);
  await attempt.thinkAgain(1);
  expect(JSON.stringify(world.model.requests().at(-1)?.body())).toContain('Go on!');
});

test.each([
  ['maxTokens' as const, 1_000, 1],
  ['maxCostMicroUsd' as const, 3_000, 1_000_000],
])(
  'R6.3 %s: raised to the least that the refusal names the same call is sent, and below it is not',
  async (limit, max, units) => {
    const attempt = await begin({ [limit]: max });
    const refused = (await attempt.think()).answer;
    const least = refused.kind === 'over_budget' ? (refused.least ?? 0) * units : 0;
    const [event] = await exceededEvent(attempt);
    expect(event).toMatchObject({ ask: Math.round(least) });

    const below = await begin({ [limit]: Math.round(least) - 1 }, 'below');
    expect((await below.think()).answer).toMatchObject({ kind: 'over_budget' });
    const enough = await begin({ [limit]: Math.round(least) }, 'level');
    expect((await enough.think()).answer).toMatchObject({ kind: 'proposal' });
  },
);
