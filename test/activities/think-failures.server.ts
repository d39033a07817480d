import type { Transcript } from '../../src/models/scripted/transcript-schema';
import { type ActivityWorld, activityWorld } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { brokenInvariants } from '../support/ledger-invariants';
import { accountOf, eventTypes, modelTries } from '../support/ledger-rows';

/** The answers of a server that misbehaves once for each attempt, and then says `Well.` */
const well = { text: 'Well.', usage: { promptTokens: 100, completionTokens: 10 } };
const longText = 'A sentence that is cut somewhere in its middle. '.repeat(40);
const attempts: NonNullable<Transcript['attempts']> = {
  unauthorized: { 1: { ...well, fault: { status: 401 } } },
  missing: { 1: { ...well, fault: { status: 404 } } },
  limited: { 1: { ...well, fault: { status: 429, retryAfter: 7 } } },
  'long-wait': { 1: { ...well, fault: { status: 429, retryAfter: 3_600 } } },
  quota: { 1: { ...well, fault: { status: 429, type: 'insufficient_quota' } } },
  broken: { 1: { ...well, fault: { status: 500 } } },
  garbage: { 1: { ...well, fault: { garbage: true } } },
  cut: { 1: { text: longText, fault: { cut: 1_000 } } },
  huge: { 1: { ...well, fault: { huge: 5 * 1024 * 1024 } } },
  hang: { 1: { ...well, fault: { hang: true } } },
  empty: { 1: { text: '  ', usage: { promptTokens: 100, completionTokens: 1 } } },
};

/** The one that hangs is waited for so long; the others answer well within it, also where every core is busy, ms. */
const modelTimeoutMs = 5_000;

let world: ActivityWorld;
beforeAll(async () => {
  world = await activityWorld({ attempts }, [], { timeoutMs: modelTimeoutMs });
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

async function begin(task: string): Promise<AttemptDriver> {
  return new AttemptDriver(await world.worker(), await world.attempt({ task }));
}

test.each([
  ['unauthorized', { class: 'unrecoverable', code: 'UNAUTHORIZED' }],
  ['missing', { class: 'unrecoverable', code: 'MODEL_NOT_FOUND' }],
  ['limited', { class: 'model_transient', code: 'RATE_LIMITED', retryAfterMs: 7_000 }],
  ['long-wait', { class: 'model_transient', code: 'RATE_LIMITED', retryAfterMs: 3_600_000 }],
  ['quota', { class: 'unrecoverable', code: 'QUOTA_EXCEEDED' }],
  ['broken', { class: 'model_transient', code: 'SERVER_ERROR' }],
])(
  'R8.1 a model server that refuses (%s) is answered with its class, costs nothing and holds nothing',
  async (task, failure) => {
    const attempt = await begin(task);

    const { answer } = await attempt.think();

    expect(answer).toEqual({ kind: 'failed', failure });
    expect(await modelTries(world.pool, attempt.ref)).toMatchObject([
      { outcome: 'failed', failure: failure.code, usage: { inputTokens: 0, outputTokens: 0, costMicroUsd: 0 } },
    ]);
    expect(await accountOf(world.pool, attempt.ref)).toMatchObject({
      tokens: 0,
      costMicroUsd: 0,
      reservedTokens: 0,
      reservedCostMicroUsd: 0,
    });
    expect(await eventTypes(world.pool, attempt.ref)).toEqual(['attempt_created', 'model_failed']);
  },
);

test.each([
  ['garbage', 'ANSWER_GARBAGE'],
  ['cut', 'ANSWER_CUT'],
  ['hang', 'MODEL_TIMEOUT'],
])('R6.2 an answer that is no whole one (%s) is charged by estimate', async (task, code) => {
  const attempt = await begin(task);

  expect((await attempt.think()).answer).toMatchObject({ kind: 'failed', failure: { class: 'model_transient', code } });

  const [tried] = await modelTries(world.pool, attempt.ref);
  expect(tried).toMatchObject({ outcome: 'failed', failure: code });
  expect(tried?.usage?.inputTokens).toBeGreaterThan(0);
  expect(tried?.usage?.inputTokens).toBeLessThanOrEqual(tried?.reserved.inputTokens ?? 0);
  expect(tried?.usage?.costMicroUsd).toBeGreaterThan(0);
  if (task === 'cut') expect(tried?.usage?.outputTokens).toBeGreaterThan(100);
});

test('R8.5 the next try of a step is a move of its own, and both tries are in the account', async () => {
  const attempt = await begin('cut');
  await attempt.think();

  const { answer } = await attempt.thinkAgain(2);

  expect(answer).toMatchObject({ kind: 'proposal', stop: { kind: 'text' } });
  const tries = await modelTries(world.pool, attempt.ref);
  expect(tries.map(({ try: number, outcome }) => [number, outcome])).toEqual([
    [1, 'failed'],
    [2, 'answered'],
  ]);
  const cost = tries.reduce((sum, { usage }) => sum + (usage?.costMicroUsd ?? 0), 0);
  expect(await accountOf(world.pool, attempt.ref)).toMatchObject({ costMicroUsd: cost, reservedCostMicroUsd: 0 });
});

test('R10.3 an answer of 5 MB is refused by its size, billed, and not kept', async () => {
  const attempt = await begin('huge');

  const { answer } = await attempt.think();

  expect(answer).toEqual({ kind: 'failed', failure: { class: 'model_semantic', code: 'ANSWER_TOO_LARGE' } });
  expect((await modelTries(world.pool, attempt.ref))[0]?.usage?.outputTokens).toBeGreaterThan(0);
  const { rows } = await world.pool.query<{ bytes: number }>(
    'select coalesce(sum(pg_column_size(e.payload)), 0)::int as bytes from events e where attempt = $1',
    [attempt.ref.key],
  );
  expect(rows[0]?.bytes).toBeLessThan(4_096);
});

test('R9.2 an answer without a word or a call is a failed try with an event of its own', async () => {
  const attempt = await begin('empty');

  const { answer } = await attempt.think();

  expect(answer).toEqual({ kind: 'failed', failure: { class: 'model_transient', code: 'EMPTY_ANSWER' } });
  expect(await modelTries(world.pool, attempt.ref)).toMatchObject([
    { outcome: 'failed', failure: 'EMPTY_ANSWER', usage: { inputTokens: 100, outputTokens: 1 } },
  ]);
  expect(await eventTypes(world.pool, attempt.ref)).toEqual(['attempt_created', 'model_failed']);
});

test('R10.4 what the server said is an event for operators, and holds at most 500 characters of it', async () => {
  const attempt = await begin('broken');
  await attempt.think();

  const { rows } = await world.pool.query<{ visibility: string; detail: string }>(
    `select visibility, payload ->> 'detail' as detail from events where attempt = $1 and type = 'model_failed'`,
    [attempt.ref.key],
  );
  expect(rows).toEqual([{ visibility: 'operator', detail: expect.stringContaining('HTTP 500') }]);
});

test('R8.6 a model that this worker does not have is an answer that stops clearly, not a call that nobody answers', async () => {
  const attempt = new AttemptDriver(
    await world.worker(),
    await world.attempt({ task: 'nobody', models: [{ name: 'nobody', quick: true, timeoutMs: 1_000 }] }),
  );
  expect((await attempt.think()).answer).toEqual({
    kind: 'failed',
    failure: { class: 'unrecoverable', code: 'MODEL_NOT_CONFIGURED' },
  });
  const { rows } = await world.pool.query(
    "select payload ->> 'detail' as detail from events where attempt = $1 and type = 'model_failed'",
    [attempt.ref.key],
  );
  expect(rows).toEqual([{ detail: expect.stringContaining('holdfast.yaml') }]);
});
