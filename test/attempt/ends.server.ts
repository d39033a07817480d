import type { Transcript } from '../../src/models/scripted/transcript-schema';
import { type AttemptWorld, attemptWorld } from '../support/attempt-world';
import { until } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { ok, tool } from '../support/test-tools';

const finish = (status: string) => ({ calls: [{ tool: 'finish', args: { summary: 'That is it.', status } }] });
const look = { calls: [{ tool: 'look', args: { at: 'a' } }] };
const attempts: NonNullable<Transcript['attempts']> = {
  answers: { 1: look, 2: { text: 'Done.' } },
  finishes: { 1: finish('done') },
  loops: { 1: look, 2: look, 3: look, 4: look, 5: look },
  blocked: { 1: finish('blocked'), 2: { text: 'Done.' } },
  refused: { 1: finish('refused'), 2: { text: 'Done.' } },
  filtered: { 1: { finish: 'content_filter' }, 2: { text: 'Done.' } },
  asks: { 1: { calls: [{ tool: 'ask_user', args: { question: 'Which?' } }] }, 2: { text: 'Done.' } },
  stops: { 1: { text: 'I think I am done.' }, 2: finish('refused') },
  waits: { 1: { calls: [{ tool: 'ask_user', args: { question: 'Which?' } }] } },
  unauthorized: { 1: { text: 'never', fault: { status: 401 } }, 2: { text: 'Done.' } },
  unmendable: { 1: { calls: [{ tool: 'no_key' }, { tool: 'look' }] }, 2: { text: 'Done.' } },
  flaky: { 1: { text: 'Done.', fault: { status: 503, times: 2 } } },
  spends: { 1: look, 2: { text: 'Done.' } },
  cut: { 1: { text: 'And then', finish: 'length' }, 2: { text: 'Done.' } },
};
const tools = [
  tool({ name: 'look', run: () => ok('Nothing new.') }),
  tool({
    name: 'no_key',
    run: () => ({
      ok: false,
      failure: { class: 'unrecoverable', code: 'CREDENTIALS_MISSING' },
      error: { code: 'CREDENTIALS_MISSING', message: 'No key.', retryable: false, suggested_action: 'Ask.' },
    }),
  }),
];

describe.each([
  ['local', true],
  ['regular', false],
])('with %s calls', (_lane, quick) => {
  let world: AttemptWorld;
  beforeAll(async () => {
    world = await attemptWorld({
      transcript: { attempts },
      tools: tools.map((one) => ({ ...one, quick })),
      model: { quick },
    });
    await world.startWorker();
  });
  afterAll(() => world.close());
  afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

  test.each(['answers', 'finishes', 'cut', 'flaky'])('R2.3 COMPLETED (%s)', async (task) => {
    const ref = await world.start({ task });
    expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
    expect(await world.stopped(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  });

  test('R2.3, R7.3 FAILED where the model repeats itself to the end', async () => {
    const ref = await world.start({ task: 'loops', limits: { maxSameToolErrors: 9 } });
    expect(await world.result(ref)).toEqual({ state: 'FAILED', reason: 'loop_detected' });
  });

  test.each([
    ['blocked', 'blocked'],
    ['refused', 'refused'],
    ['filtered', 'refused'],
    ['asks', 'waiting_for_user'],
    ['unauthorized', 'blocked'],
    ['unmendable', 'blocked'],
  ])('R2.3 WAITING_FOR_USER (%s), and a message goes on to the end', async (task, reason) => {
    const ref = await world.start({ task });
    expect(await world.stopped(ref)).toEqual({ state: 'WAITING_FOR_USER', reason });

    await world.send(ref, { kind: 'say', body: { text: 'The left one.' } });

    expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
    const asked = world.model.requests().findLast((request) => request.attempt === ref.id);
    expect(JSON.stringify(asked?.body())).toContain('The left one.');
  });

  test('R3.2 a text is no result of a task that is not a talk: it waits, and goes on by a message', async () => {
    const ref = await world.start({ task: 'stops', contract: { kind: 'code_change' } });
    expect(await world.stopped(ref)).toEqual({ state: 'WAITING_FOR_USER', reason: 'turn_stopped' });
    await world.send(ref, { kind: 'say', body: { text: 'Then go on.' } });
    await until(async () => (await world.stopped(ref)).reason === 'refused', 'the next turn was refused');
    await world.send(ref, { kind: 'cancel', body: { by: 'ana' } });
    expect(await world.result(ref)).toEqual({ state: 'CANCELLED', reason: 'cancelled' });
  });

  test('R6.3 SUSPENDED where a limit is used up; a word changes nothing, a cancel ends it', async () => {
    const ref = await world.start({ task: 'spends', limits: { maxToolCalls: 0 } });
    expect(await world.stopped(ref)).toEqual({ state: 'SUSPENDED', reason: 'budget_exceeded' });

    await world.send(ref, { kind: 'say', body: { text: 'Go on!' } }, 'word');
    await until(async () => (await dispositionOf(ref.key, 'word')) === 'taken', 'the word is taken');
    expect(await world.stopped(ref)).toEqual({ state: 'SUSPENDED', reason: 'budget_exceeded' });

    await world.send(ref, { kind: 'cancel', body: { by: 'ana' } });
    expect(await world.result(ref)).toEqual({ state: 'CANCELLED', reason: 'cancelled' });
  });

  async function dispositionOf(key: number, id: string): Promise<string | undefined> {
    const query = 'select disposition from inbox where attempt = $1 and id = $2';
    return (await world.pool.query<{ disposition: string }>(query, [key, id])).rows[0]?.disposition;
  }

  test('R11.1 CANCELLED from a pause', async () => {
    const ref = await world.start({ task: 'waits' });
    await world.stopped(ref);
    await world.send(ref, { kind: 'cancel', body: { by: 'ana' } });
    expect(await world.result(ref)).toEqual({ state: 'CANCELLED', reason: 'cancelled' });
    expect((await world.events(ref)).at(-1)).toEqual({
      type: 'ended',
      payload: { state: 'CANCELLED', reason: 'cancelled' },
    });
  });
});
