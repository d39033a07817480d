import { setTimeout as sleep } from 'node:timers/promises';
import type { EffectClass } from '../../src/domain/effect/effect';
import { insertMessage } from '../../src/ledger/inbox';
import { type AttemptRef, actionId } from '../../src/protocol/ids';
import { effectRows, payloads } from '../support/effect-rows';
import { until } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { type FaultWorld, faultWorld } from './support/fault-world';
import { operationOf } from './support/journal';
import { killAt } from './support/kill-at';
import { shopOperation } from './support/shop-operation';
import { hesitantTranscript } from './support/transcript';

let world: FaultWorld;
beforeAll(async () => {
  world = await faultWorld({ transcript: hesitantTranscript });
});
afterAll(() => world.close());
beforeEach(async () => {
  if (world.fleet.awake.length === 0) await world.fleet.start();
});
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

const linesOf = (task: string) => world.shop.lines().filter((line) => operationOf(line) === task);
const sendsOf = (ref: AttemptRef) => world.sends().filter((key) => key.startsWith(`default/${ref.id}/`));
const ask = (task: string, tool: string, lane: 'local' | 'regular') =>
  world.ask(task, tool, { lane, operations: [task] });
const arm = (fault: string, operation: string, named: string, task: string) =>
  world.shop.ask('POST', '/faults', { fault, operation, where: { [named]: task } });
const release = () => world.shop.ask('POST', '/faults/release');
const cancel = (ref: AttemptRef) => world.send(ref, { kind: 'cancel', body: { by: 'ana', reason: 'Not this one.' } });

/** Until the shop holds a request of the task. */
async function held(task: string): Promise<void> {
  await until(async () => {
    const { body } = await world.shop.ask('GET', '/faults');
    return JSON.stringify(body['held']).includes(`"${task}"`);
  }, 'the shop has the request');
}
async function told(ref: AttemptRef) {
  const [settled, ...more] = await payloads(world.pool, ref, 'cancel_settled');
  expect(more).toEqual([]);
  return settled;
}
const named = (ref: AttemptRef) => ({
  action: actionId(ref.id, 1, 0),
  effect: `default/${ref.id}/s1.a0/g1`,
  at: expect.any(String),
});

describe.each(['local', 'regular'] as const)('R16.5 a cancel races a commit (%s calls)', (lane) => {
  test('and comes before the send: nothing is sent, and the ledger says cancelled', async () => {
    const task = `before-send-${lane}`;
    await arm('slow_before_commit', 'lookup_order', 'orderId', task); // what `prepare` reads
    const ref = await ask(task, `deduplicated_${lane}_whole`, lane);
    await held(task);
    await cancel(ref);
    await release();

    expect(await world.result(ref)).toEqual({ state: 'CANCELLED', reason: 'cancelled' });
    expect(linesOf(task)).toEqual([]);
    expect(world.sends().filter((key) => key.includes(task))).toEqual([]);
    expect(await effectRows(world.pool, ref)).toMatchObject([{ phase: 'NOT_COMMITTED', settled_by: 'runtime' }]);
    expect(await told(ref)).toMatchObject({ committed: [] });
  });

  test('and comes after the send and before the commit: the commit is told, with its time', async () => {
    const task = `before-commit-${lane}`;
    await arm('slow_before_commit', 'create_refund', 'orderId', task);
    const ref = await ask(task, `deduplicated_${lane}_bare`, lane);
    await held(task);
    await cancel(ref);
    expect(linesOf(task)).toEqual([]);
    await release();

    expect(await world.result(ref)).toEqual({ state: 'CANCELLED', reason: 'cancelled_effect_committed' });
    expect(linesOf(task)).toHaveLength(1);
    expect(await effectRows(world.pool, ref)).toMatchObject([{ phase: 'COMMITTED', settled_by: 'send' }]);
    expect(await told(ref)).toMatchObject({ committed: [named(ref)] });
  });

  test('and comes after the commit and before its answer: the commit is told', async () => {
    const task = `before-answer-${lane}`;
    await arm('commit_then_hang', 'create_refund', 'orderId', task);
    const ref = await ask(task, `deduplicated_${lane}_bare`, lane);
    await held(task);
    expect(linesOf(task)).toHaveLength(1);
    await cancel(ref);
    await release();

    expect(await world.result(ref)).toEqual({ state: 'CANCELLED', reason: 'cancelled_effect_committed' });
    expect(linesOf(task)).toHaveLength(1);
    expect(await told(ref)).toMatchObject({ committed: [named(ref)] });
  });

  test('and comes after the outcome: what was done before is no news of the cancel', async () => {
    const task = `after-outcome-${lane}`;
    const ref = await ask(task, `deduplicated_${lane}_bare`, lane);
    await until(async () => (await effectRows(world.pool, ref))[0]?.phase === 'COMMITTED', 'the outcome');
    await cancel(ref);

    expect(await world.result(ref)).toEqual({ state: 'CANCELLED', reason: 'cancelled' });
    expect(linesOf(task)).toHaveLength(1);
    expect(await effectRows(world.pool, ref)).toMatchObject([{ phase: 'COMMITTED', settled_by: 'send' }]);
    expect(await told(ref)).toMatchObject({ committed: [] });
  });
});

describe('R16.5, M8 the cancel comes while the only worker lies dead with the effect on its way', () => {
  /** Killed in the send, with the shop's answer in hand; the cancel is stored before the next worker starts. */
  async function crash(effect: EffectClass, task: string): Promise<AttemptRef> {
    const ref = await killAt(world, 'answered', task, () => ask(task, `${effect}_regular_bare`, 'regular'));
    await insertMessage(world.pool, ref, { id: 'stop', kind: 'cancel', body: { by: 'ana' } });
    await world.fleet.start();
    return ref;
  }
  const say = (ref: AttemptRef, outcome: 'committed' | 'not_committed') =>
    world.send(ref, {
      kind: 'reconcile',
      body: { actionId: actionId(ref.id, 1, 0), outcome, by: 'ana', evidence: "The shop's journal." },
    });

  test('probed: the bank says that it was made, and so does the end', async () => {
    const ref = await crash('probed', 'dead-probed');

    expect(await world.result(ref)).toEqual({ state: 'CANCELLED', reason: 'cancelled_effect_committed' });
    expect(linesOf('dead-probed')).toHaveLength(1);
    expect(sendsOf(ref)).toHaveLength(1);
    expect(await effectRows(world.pool, ref)).toMatchObject([{ phase: 'COMMITTED', settled_by: 'probe' }]);
    expect(await told(ref)).toMatchObject({ committed: [named(ref)] });
  });

  test.each(['idempotent', 'deduplicated', 'unsafe'] as const)(
    '%s: nothing is sent again for the sake of an end; it waits for a person, whose word it tells',
    async (effect) => {
      const task = `dead-${effect}`;
      const ref = await crash(effect, task);
      await until(async () => (await effectRows(world.pool, ref))[0]?.phase === 'UNKNOWN', 'the effect is unknown');
      await world.until(ref, 'CANCELLING');
      expect(linesOf(task)).toHaveLength(1);
      await say(ref, 'committed');

      expect(await world.result(ref)).toEqual({ state: 'CANCELLED', reason: 'cancelled_effect_committed' });
      expect(sendsOf(ref)).toHaveLength(1);
      expect(await effectRows(world.pool, ref)).toMatchObject([{ phase: 'COMMITTED', settled_by: 'person' }]);
      expect(await told(ref)).toMatchObject({ committed: [named(ref)] });
    },
  );

  test('unsafe, and the shop did nothing: a person may say so once it can happen no more, and the end says cancelled', async () => {
    const { operation, named: argument } = shopOperation.unsafe;
    await arm('drop_before_commit', operation, argument, 'dead-dropped');
    const ref = await crash('unsafe', 'dead-dropped');
    await until(async () => (await effectRows(world.pool, ref))[0]?.phase === 'UNKNOWN', 'the effect is unknown');
    expect(linesOf('dead-dropped')).toEqual([]);
    // Said at once, it is refused: what was sent may still be under way.
    await until(async () => {
      await say(ref, 'not_committed');
      await sleep(1_000);
      return (await effectRows(world.pool, ref))[0]?.phase === 'NOT_COMMITTED';
    }, 'the word is believed');

    expect(await world.result(ref)).toEqual({ state: 'CANCELLED', reason: 'cancelled' });
    expect(sendsOf(ref)).toHaveLength(1);
    expect(await effectRows(world.pool, ref)).toMatchObject([{ phase: 'NOT_COMMITTED', settled_by: 'person' }]);
    expect(await told(ref)).toMatchObject({ committed: [] });
  });
});
