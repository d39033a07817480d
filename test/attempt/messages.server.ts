import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { Transcript } from '../../src/models/scripted/transcript-schema';
import type { AttemptRef } from '../../src/protocol/ids';
import type { UpdateReply } from '../../src/protocol/messages';
import { type AttemptWorld, attemptWorld } from '../support/attempt-world';
import { Gate, until } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { ok, tool } from '../support/test-tools';

const ask = { calls: [{ tool: 'ask_user', args: { question: 'Which?' } }] };
const writes = { 1: { calls: [{ tool: 'wait_write' }, { tool: 'wait' }] } };
const attempts: NonNullable<Transcript['attempts']> = {
  asks: { 1: ask, 2: { text: 'Done.' } },
  'asks-on': { 1: ask, 2: ask, 3: ask, 4: ask },
  works: { 1: { calls: [{ tool: 'wait' }] }, 2: { text: 'Done.' } },
  'writes-signal': writes,
  'writes-inbox': writes,
  thinks: { 1: { text: 'Too late.', delayMs: 20_000 } },
};
const say = defineUpdate<UpdateReply, [unknown]>('say');
const cancel = defineUpdate<UpdateReply, [unknown]>('cancel');

let gate: Gate;
const wait = async (_args: unknown, { signal }: { signal: AbortSignal }) => {
  await gate.pass(signal);
  return ok('Waited.');
};
beforeEach(() => {
  gate = new Gate();
});

describe.each([
  ['local', true],
  ['regular', false],
])('with %s calls', (_lane, quick) => {
  let world: AttemptWorld;
  beforeAll(async () => {
    const tools = [
      tool({ name: 'wait', quick, run: wait }),
      // Longer than a workflow task may go without a word of the local call in it.
      tool({ name: 'wait_write', quick, effect: 'idempotent', timeoutMs: 30_000, run: wait }),
    ];
    world = await attemptWorld({ transcript: { attempts }, tools, model: { quick, timeoutMs: 30_000 } });
    await world.startWorker();
  });
  afterAll(() => world.close());
  afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

  let started = 0;
  const start = (task: string) => {
    started += 1;
    return world.start({ task, input: `Hello ${started}?`, again: true });
  };
  const inbox = async (ref: AttemptRef) =>
    (
      await world.pool.query<{ id: string; kind: string; disposition: string | null; why: string | null }>(
        'select id, kind, disposition, why from inbox where attempt = $1 order by ordinal',
        [ref.key],
      )
    ).rows;
  const paused = (ref: AttemptRef) => world.until(ref, 'WAITING_FOR_USER');
  const completed = { state: 'COMPLETED', reason: 'success' };
  const cancelled = { state: 'CANCELLED', reason: 'cancelled' };

  test('M4 a `say` typed into a signal goes on, and a `cancel` ends', async () => {
    const one = await start('asks');
    await paused(one);
    await world.handle(one).signal('say', { text: 'The left one.', by: 'ana' });
    expect(await world.result(one)).toEqual(completed);
    expect(await inbox(one)).toEqual([{ id: 'signal/1', kind: 'say', disposition: 'taken', why: null }]);

    const two = await start('asks');
    await paused(two);
    await world.handle(two).signal('cancel', { by: 'ana' });
    expect(await world.result(two)).toEqual(cancelled);
  });

  test('M4 an update is answered once its message is disposed of: taken, or why not', async () => {
    const ref = await start('asks-on');
    await paused(ref);
    const handle = world.handle(ref);

    expect(await handle.executeUpdate(say, { args: [{ text: 'The left one.' }] })).toEqual({ taken: true });
    expect(await handle.executeUpdate(say, { args: [{ txt: 'oops' }] })).toEqual({
      taken: false,
      why: expect.stringContaining('text'),
    });
    expect(await handle.executeUpdate(say, { args: [{ messageId: 'never-stored' }] })).toEqual({
      taken: false,
      why: 'the message is unknown',
    });
    expect(await handle.executeUpdate(cancel, { args: [{ by: 'ana' }] })).toEqual({ taken: true });
    expect(await world.result(ref)).toEqual(cancelled);
  });

  test('M4 what fits nothing is rejected with its reason, and the attempt goes on waiting', async () => {
    const ref = await start('asks');
    await paused(ref);
    const handle = world.handle(ref);
    await handle.signal('aprove', { actionId: 'x' });
    await handle.signal('say', { text: 'x'.repeat(20_000) });
    await handle.signal('say', { text: 'odd id', messageId: 'a\u0000b' });
    await handle.signal('say');
    await until(
      async () => (await inbox(ref)).filter((row) => row.disposition === 'rejected').length === 4,
      'four rejections',
    );

    const why = (await inbox(ref)).map((row) => row.why);
    expect(why).toEqual([
      expect.stringContaining('known are say, cancel'),
      expect.stringContaining('20'),
      expect.stringContaining('messageId'),
      expect.any(String),
    ]);
    expect((await world.events(ref)).filter(({ type }) => type === 'message_rejected')).toHaveLength(4);
    await handle.signal('say', { text: 'The left one.' });
    expect(await world.result(ref)).toEqual(completed);
  });

  test('M5 a native cancellation is a cancel like any other', async () => {
    const ref = await start('asks');
    await paused(ref);
    await world.handle(ref).cancel();
    expect(await world.result(ref)).toEqual(cancelled);
    expect(await inbox(ref)).toMatchObject([{ id: 'native-cancel', disposition: 'taken' }]);
  });

  test.each(['signal', 'native'])('M5, R11.1 a cancel (%s) stops a model call in flight', async (way) => {
    const ref = await start('thinks');
    const asked = () => world.model.requests().find((request) => request.attempt === ref.id);
    await until(() => asked() !== undefined, 'the model is asked');
    await cancelBy(way, ref);
    expect(await world.result(ref)).toEqual(cancelled);
    await until(() => asked()?.aborted === true, 'the request is broken off');
  });

  test('M5, R11.1 a cancel stops a read in flight', async () => {
    const ref = await start('works');
    await gate.reached(1);
    await cancelBy('inbox', ref);
    expect(await world.result(ref)).toEqual(cancelled);
  });

  test.each(['signal', 'inbox'])(
    'M5, R11.2 a cancel (%s) during a write waits for its answer, and nothing runs after it',
    async (way) => {
      // A task of its own: attempts of one task know each other's effects.
      const ref = await start(`writes-${way}`);
      await gate.reached(1);
      await cancelBy(way, ref);
      if (way === 'signal') await until(() => hasSignal(ref), 'the workflow is given the signal');
      gate.open();
      // A signal typed by hand is stored by the next call: by the ledger's clock it came after the effect.
      const reason = way === 'signal' ? 'cancelled' : 'cancelled_effect_committed';
      expect(await world.result(ref)).toEqual({ state: 'CANCELLED', reason });
      expect(gate.arrived).toBe(1);
      const { rows } = await world.pool.query(
        `select index, ok, body ->> 'text' as text from observations where attempt = $1`,
        [ref.key],
      );
      expect(rows).toEqual([{ index: 0, ok: true, text: 'Waited.' }]);
    },
  );

  /** A workflow task began after the signal; until then the workflow cannot know of it. */
  async function hasSignal(ref: AttemptRef): Promise<boolean> {
    const { events } = await world.handle(ref).fetchHistory();
    const at = events?.findIndex((event) => event.workflowExecutionSignaledEventAttributes) ?? -1;
    return at >= 0 && (events?.slice(at).some((event) => event.workflowTaskStartedEventAttributes) ?? false);
  }

  async function cancelBy(way: string, ref: AttemptRef): Promise<void> {
    if (way === 'signal') await world.handle(ref).signal('cancel', { by: 'ana' });
    else if (way === 'native') await world.handle(ref).cancel();
    else await world.send(ref, { kind: 'cancel', body: { by: 'ana' } });
  }

  test('M4 a message said while a tool runs is in the next model call', async () => {
    const ref = await start('works');
    await gate.reached(1);
    await world.send(ref, { kind: 'say', body: { text: 'By the way.' } });
    gate.open();
    expect(await world.result(ref)).toEqual(completed);
    const last = world.model.requests().findLast((request) => request.attempt === ref.id);
    expect(JSON.stringify(last?.body())).toContain('By the way.');
  });

  test('R10.2 a query tells where an attempt is, also after its end', async () => {
    const ref = await start('asks');
    await paused(ref);
    const status = defineQuery<{ state: string; reason: string }>('status');
    const pending = defineQuery<{ kind: string; command: string }[]>('pending');
    expect(await world.handle(ref).query(status)).toMatchObject({
      state: 'WAITING_FOR_USER',
      reason: 'waiting_for_user',
    });
    expect(await world.handle(ref).query(pending)).toMatchObject([
      { kind: 'message', command: expect.stringContaining(ref.id) },
    ]);
    await world.send(ref, { kind: 'cancel', body: { by: 'ana' } });
    await world.result(ref);
    expect(await world.handle(ref).query(status)).toMatchObject({ state: 'CANCELLED', reason: 'cancelled' });
    expect(await world.handle(ref).query(pending)).toEqual([]);
  });
});
