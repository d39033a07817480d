import { setTimeout as sleep } from 'node:timers/promises';
import { createFileStore } from '../../src/artifacts/file-store';
import { type ActivityWorld, activityWorld } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { brokenInvariants } from '../support/ledger-invariants';
import { accountOf, eventTypes, observations, toolTries } from '../support/ledger-rows';
import { ok, tool } from '../support/test-tools';

const busy = (retryable: boolean) => ({
  ok: false as const,
  failure: { class: retryable ? ('tool_transient' as const) : ('tool_business' as const), code: 'BUSY' },
  error: { code: 'BUSY', message: 'Not now.', retryable, suggested_action: 'Wait.' },
});
const odd = 'before\u0000\ud800 after \u{1F600} end';
let keys: string[] = [];

const tools = [
  tool({
    name: 'throws',
    run: () => {
      throw new TypeError('undefined is not a function');
    },
  }),
  tool({ name: 'throws_text', run: () => Promise.reject('no error at all') }),
  tool({ name: 'polite', timeoutMs: 100, run: (_args, { signal }) => sleep(60_000, ok(''), { signal }) }),
  tool({
    name: 'polite_write',
    effect: 'idempotent',
    timeoutMs: 100,
    run: (_args, { signal }) => sleep(60_000, ok(''), { signal }),
  }),
  tool({ name: 'deaf', timeoutMs: 100, run: () => new Promise(() => {}) }),
  tool({ name: 'huge', run: () => ok('line of output\n'.repeat(400_000)) }),
  tool({ name: 'odd', run: () => ok(odd) }),
  tool({ name: 'odd_huge', run: () => ok(odd.repeat(2_000)) }),
  tool({
    name: 'flaky',
    effect: 'deduplicated',
    run: (_args, { idempotencyKey }) => {
      keys.push(idempotencyKey);
      return keys.length < 3 ? busy(true) : ok('At last.');
    },
  }),
  tool({ name: 'down', run: () => busy(true) }),
  tool({
    name: 'no_key',
    run: () => ({
      ok: false,
      failure: { class: 'unrecoverable', code: 'CREDENTIALS_MISSING' },
      error: { code: 'CREDENTIALS_MISSING', message: 'No key.', retryable: false, suggested_action: 'Ask.' },
    }),
  }),
];

let world: ActivityWorld;
beforeAll(async () => {
  const attempts = Object.fromEntries(
    tools.map(({ name }) => [name.replaceAll('_', '-'), { 1: { calls: [{ tool: name }] }, 2: { text: 'So.' } }]),
  );
  world = await activityWorld({ attempts }, tools);
});
beforeEach(() => {
  keys = [];
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

async function begin(toolName: string): Promise<AttemptDriver> {
  return new AttemptDriver(await world.worker(), await world.attempt({ task: toolName.replaceAll('_', '-') }));
}

test.each([
  ['throws', 'undefined is not a function'],
  ['throws_text', 'no error at all'],
])('R8.2 a tool that throws (%s) is an error that the model sees, and the attempt goes on', async (name, cause) => {
  const attempt = await begin(name);

  expect((await attempt.stepWithOneAction()).answer).toEqual({ kind: 'observed', ok: false });

  expect(await observations(world.pool, attempt.ref)).toMatchObject([
    { code: 'TOOL_CRASHED', text: expect.stringContaining(cause) },
  ]);
  expect(await toolTries(world.pool, attempt.ref)).toMatchObject([{ outcome: 'error', failure: 'TOOL_CRASHED' }]);
  expect((await attempt.think()).answer).toMatchObject({ kind: 'proposal', stop: { kind: 'text' } });
});

test('R9.1 a read that passes its time limit is tried again, and a write of a class that permits it, whose effect is unknown till then', async () => {
  const read = await begin('polite');
  expect((await read.stepWithOneAction()).answer).toEqual({
    kind: 'failed',
    failure: { class: 'tool_transient', code: 'TOOL_TIMEOUT' },
  });

  const write = await begin('polite_write');
  expect((await write.stepWithOneAction()).answer).toEqual({
    kind: 'failed',
    failure: { class: 'tool_transient', code: 'TOOL_TIMEOUT' },
  });
  expect(await observations(world.pool, write.ref)).toEqual([]);
  const { rows } = await world.pool.query('select phase from effects where attempt = $1', [write.ref.key]);
  expect(rows).toEqual([{ phase: 'UNKNOWN' }]);
});

test('R9.1 a tool that does not hear its time limit is given up all the same', async () => {
  const attempt = await begin('deaf');
  expect((await attempt.stepWithOneAction()).answer).toEqual({
    kind: 'failed',
    failure: { class: 'tool_transient', code: 'TOOL_TIMEOUT' },
  });
});

test('R10.3 an output of megabytes is shown by its head and tail with a pointer that opens the whole', async () => {
  const attempt = await begin('huge');
  await attempt.stepWithOneAction();

  const [seen] = await observations(world.pool, attempt.ref);
  expect(seen?.ok).toBe(true);
  expect(Buffer.byteLength(seen?.text ?? '')).toBeLessThanOrEqual(16 * 1024);
  const hash = /read_artifact \{"hash":"([0-9a-f]{64})"/.exec(seen?.text ?? '')?.[1] ?? '';
  const whole = await attempt.worker.artifacts.get('default', hash);
  expect(whole?.toString()).toBe('line of output\n'.repeat(400_000));
  expect((await attempt.think()).answer).toMatchObject({ kind: 'proposal' });
});

test.each(['odd', 'odd_huge'])('R12.5 an output with NUL and half a character (%s) is kept readable', async (name) => {
  const attempt = await begin(name);

  expect((await attempt.stepWithOneAction()).answer).toEqual({ kind: 'observed', ok: true });

  const [seen] = await observations(world.pool, attempt.ref);
  expect(seen?.text.startsWith('before\uFFFD\uFFFD after \u{1F600} end')).toBe(true);
  expect((await attempt.think()).answer).toMatchObject({ kind: 'proposal' });
});

test('R1.3 tries of one action have one key, each is recorded, and the model sees the last', async () => {
  const attempt = await begin('flaky');
  const [action] = await attempt.actions();
  if (!action) throw new Error('No action.');

  for (const tryNumber of [1, 2]) {
    expect((await attempt.act(action, { tryNumber })).answer).toMatchObject({
      kind: 'failed',
      failure: { code: 'BUSY' },
    });
  }
  expect((await attempt.act(action, { tryNumber: 3 })).answer).toEqual({ kind: 'observed', ok: true });

  expect(new Set(keys)).toEqual(new Set([`default/${attempt.ref.id}/s1.a0/g1`]));
  expect((await toolTries(world.pool, attempt.ref)).map(({ try: number, outcome }) => [number, outcome])).toEqual([
    [1, 'transient'],
    [2, 'transient'],
    [3, 'ok'],
  ]);
  expect((await eventTypes(world.pool, attempt.ref)).filter((type) => type === 'tool_retry')).toHaveLength(2);
  expect(await accountOf(world.pool, attempt.ref)).toMatchObject({ toolCalls: 1 });
});

test('R8.5 the last try of a transient failure is what the model sees', async () => {
  const attempt = await begin('down');
  const [action] = await attempt.actions();
  if (!action) throw new Error('No action.');
  for (const tryNumber of [1, 2, 3]) await attempt.act(action, { tryNumber });

  expect((await attempt.act(action, { tryNumber: 4 })).answer).toEqual({ kind: 'observed', ok: false });
  expect(await observations(world.pool, attempt.ref)).toMatchObject([{ code: 'BUSY' }]);
});

test('R8.6 what no model can mend stops the attempt, and is in the view of whoever resumes it', async () => {
  const attempt = await begin('no_key');

  expect((await attempt.stepWithOneAction()).answer).toEqual({
    kind: 'failed',
    failure: { class: 'unrecoverable', code: 'CREDENTIALS_MISSING' },
  });
  expect(await observations(world.pool, attempt.ref)).toMatchObject([{ code: 'CREDENTIALS_MISSING' }]);
  expect(await eventTypes(world.pool, attempt.ref)).toContain('tool_failed');
});

test('R10.3 an output that the store cannot keep fails the try and stops for a person; then the call can be made again', async () => {
  const worker = await world.worker();
  // A real store in a place where no file can be made.
  const broken = { ...worker, artifacts: createFileStore('/dev/null/objects') };
  const attempt = new AttemptDriver(broken, await world.attempt({ task: 'huge' }));
  const [action] = await attempt.actions();
  if (!action) throw new Error('No action.');

  expect((await attempt.act(action)).answer).toEqual({
    kind: 'failed',
    failure: { class: 'unrecoverable', code: 'ARTIFACT_STORE_FAILED' },
  });
  expect(await observations(world.pool, attempt.ref)).toMatchObject([{ ok: false, code: 'ARTIFACT_STORE_FAILED' }]);
});

test('R10.3 what the object store keeps is in the ledger, by hash and size', async () => {
  const attempt = new AttemptDriver(await world.worker(), await world.attempt({ task: 'huge' }));
  const [action] = await attempt.actions();
  if (!action) throw new Error('No action.');
  await attempt.act(action);
  const { rows } = await world.pool.query('select bytes, length(hash) as digits from artifacts');
  expect(rows).toContainEqual({ bytes: 15 * 400_000, digits: 64 });
});

test("M1 an action is run as it was planned: another hash than the proposal's, or another place, runs nothing", async () => {
  const attempt = await begin('flaky');
  const [action] = await attempt.actions();
  if (!action) throw new Error('No action.');

  await expect(attempt.act({ ...action, hash: '0'.repeat(action.hash.length) })).rejects.toThrow(
    /No action s1\.a0 with the hash 0+ was proposed/,
  );
  await expect(attempt.act({ ...action, index: 1 })).rejects.toThrow(/No action s1\.a1/);
  expect(keys).toEqual([]);
  expect(await toolTries(world.pool, attempt.ref)).toEqual([]);
});
