import type { EffectClass } from '../../src/domain/effect/effect';
import { type AttemptRef, actionId } from '../../src/protocol/ids';
import { effectRows } from '../support/effect-rows';
import { brokenInvariants } from '../support/ledger-invariants';
import { modelTries, observations, toolTries } from '../support/ledger-rows';
import { type FaultWorld, faultWorld } from './support/fault-world';
import { operationOf } from './support/journal';
import { killAt } from './support/kill-at';

let world: FaultWorld;
beforeAll(async () => {
  world = await faultWorld();
});
afterAll(() => world.close());
beforeEach(() => world.fleet.start());
afterEach(async () => {
  for (const worker of world.fleet.awake) await worker.kill();
  expect(await brokenInvariants(world.pool)).toEqual([]);
});

const completed = { state: 'COMPLETED', reason: 'success' };
const linesOf = (task: string) => world.shop.lines().filter((line) => operationOf(line) === task);
const sendsOf = (ref: AttemptRef) => world.sends().filter((key) => key.startsWith(`default/${ref.id}/`));
const outcomes = (tries: readonly { outcome: string | null }[]) => tries.map(({ outcome }) => outcome);
const ask = (task: string, tool: string, lane: 'local' | 'regular') => () =>
  world.ask(task, tool, { lane, operations: [task] });

describe.each(['local', 'regular'] as const)(
  'R16.1 with %s calls, a crash right after the model asked for a tool',
  (lane) => {
    const tool = `deduplicated_${lane}_bare`;

    test('and before its proposal is stored: the model is asked again, and the tool runs once', async () => {
      const ref = await killAt(world, 'before_intent', `unheard-${lane}`, ask(`unheard-${lane}`, tool, lane));
      await world.fleet.start();

      expect(await world.result(ref)).toEqual(completed);
      expect(outcomes(await modelTries(world.pool, ref))).toEqual(['lost', 'answered', 'answered']);
      expect(sendsOf(ref)).toHaveLength(1);
      expect(linesOf(`unheard-${lane}`)).toHaveLength(1);
    });

    test('and after its proposal is stored: the model is not asked again, and the tool runs once', async () => {
      const ref = await killAt(world, 'after_intent', `heard-${lane}`, ask(`heard-${lane}`, tool, lane));
      await world.fleet.start();

      expect(await world.result(ref)).toEqual(completed);
      expect(outcomes(await modelTries(world.pool, ref))).toEqual(['answered', 'answered']);
      expect(sendsOf(ref)).toHaveLength(1);
      expect(linesOf(`heard-${lane}`)).toHaveLength(1);
    });
  },
);

describe('R16.2 the shop has committed, and the worker crashes before the result is stored', () => {
  /** Killed with the shop's answer in hand. */
  async function crash(effect: EffectClass, lane: 'local' | 'regular'): Promise<AttemptRef> {
    const task = `${effect}-${lane}`;
    const ref = await killAt(world, 'answered', task, ask(task, `${effect}_${lane}_bare`, lane));
    expect(linesOf(task)).toHaveLength(1);
    expect(await effectRows(world.pool, ref)).toMatchObject([{ phase: 'SENT' }]);
    await world.fleet.start();
    return ref;
  }
  const found = async (ref: AttemptRef) => (await observations(world.pool, ref)).map(({ ok, text }) => ({ ok, text }));

  test.each([
    ['idempotent', 'local'],
    ['idempotent', 'regular'],
    ['deduplicated', 'local'],
    ['deduplicated', 'regular'],
  ] as const)('%s, %s: sent again under the same key, and done once', async (effect, lane) => {
    const ref = await crash(effect, lane);

    expect(await world.result(ref)).toEqual(completed);
    expect(linesOf(`${effect}-${lane}`)).toHaveLength(1);
    expect(sendsOf(ref)).toEqual([`default/${ref.id}/s1.a0/g1`, `default/${ref.id}/s1.a0/g1`]);
    expect(await effectRows(world.pool, ref)).toMatchObject([{ phase: 'COMMITTED', settled_by: 'send', fence: 2 }]);
    expect(outcomes(await toolTries(world.pool, ref))).toEqual(['lost', 'ok']);
    expect(await found(ref)).toEqual([{ ok: true, text: expect.stringContaining(`${effect}-${lane}`) }]);
  });

  test.each(['local', 'regular'] as const)('probed, %s: asked about, not sent again', async (lane) => {
    const ref = await crash('probed', lane);

    expect(await world.result(ref)).toEqual(completed);
    expect(linesOf(`probed-${lane}`)).toHaveLength(1);
    expect(sendsOf(ref)).toHaveLength(1);
    expect(await effectRows(world.pool, ref)).toMatchObject([{ phase: 'COMMITTED', settled_by: 'probe' }]);
    expect(await found(ref)).toEqual([{ ok: true, text: expect.stringContaining(`probed-${lane}`) }]);
  });

  test('unsafe: never sent again; a person looks at the journal, and their word is what the model sees', async () => {
    const ref = await crash('unsafe', 'regular');
    await world.until(ref, 'RECONCILING');
    expect(await world.stopped(ref)).toEqual({ state: 'RECONCILING', reason: 'reconcile_required' });

    const [line] = linesOf('unsafe-regular');
    const body = { outcome: 'committed', by: 'ana', evidence: `Line ${line?.seq} of the journal.` } as const;
    await world.send(ref, { kind: 'reconcile', body: { ...body, actionId: actionId(ref.id, 1, 0) } });

    expect(await world.result(ref)).toEqual(completed);
    expect(linesOf('unsafe-regular')).toHaveLength(1);
    expect(sendsOf(ref)).toHaveLength(1);
    expect(await effectRows(world.pool, ref)).toMatchObject([{ phase: 'COMMITTED', settled_by: 'person' }]);
    expect(await found(ref)).toEqual([{ ok: true, text: expect.stringContaining(`Line ${line?.seq}`) }]);
  });
});
