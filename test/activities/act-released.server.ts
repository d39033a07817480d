import { type ActivityWorld, activityWorld } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { effectRows } from '../support/effect-rows';
import { Gate } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { observations } from '../support/ledger-rows';
import { ok, tool } from '../support/test-tools';

/** What a prepare of the slow attempt waits at. */
let gate: Gate;
/** Keys of what was sent. */
const sends: string[] = [];

let world: ActivityWorld;
beforeAll(async () => {
  const pay = tool({
    name: 'pay',
    effect: 'deduplicated',
    run: (_args, { idempotencyKey }) => {
      sends.push(idempotencyKey);
      return ok('Paid.');
    },
    write: {
      businessKey: () => 'order-1',
      prepare: async (args: never) => {
        if (Reflect.get(args, 'slow') === true) await gate.pass();
        return args;
      },
      operationArguments: ['order'],
    },
  });
  const asks = (args: object) => ({ calls: [{ tool: 'pay', args: { order: '1', ...args } }] });
  world = await activityWorld(
    { attempts: { slow: { 1: asks({ slow: true }) }, quick: { 1: asks({ slow: false }) } } },
    [pay],
  );
  gate = new Gate();
});
afterAll(() => world.close());

test('E1, E2 a claim whose owner was taken for dead loses its key for good: its own act finds the other effect', async () => {
  const frozen = await world.worker();
  const slow = new AttemptDriver(frozen, await world.attempt({ task: 'slow' }));
  const quick = new AttemptDriver(await world.worker(), await world.attempt({ task: 'quick' }));
  const [asked] = await slow.actions();
  const [other] = await quick.actions();
  if (!asked || !other) throw new Error('Both attempts have an action.');

  const acting = slow.act(asked);
  await gate.reached(1);
  await world.pool.query('update workers set ended_at = clock_timestamp() where id = $1', [frozen.leaseId]);
  expect((await quick.act(other)).answer).toEqual({ kind: 'observed', ok: true });

  gate.open();
  expect((await acting).answer).toMatchObject({ kind: 'failed', failure: { code: 'CLAIM_LOST' } });
  expect(await effectRows(world.pool, slow.ref)).toMatchObject([{ generation: 1, phase: 'NOT_COMMITTED' }]);
  const again = slow.on(await world.worker());
  expect((await again.act(asked, { tryNumber: 2 })).answer).toEqual({ kind: 'observed', ok: true });

  expect(sends).toEqual(['default/pay/order-1/g2']);
  expect(await effectRows(world.pool, quick.ref)).toMatchObject([{ generation: 2, phase: 'COMMITTED' }]);
  expect(await observations(world.pool, slow.ref)).toMatchObject([
    { ok: true, text: expect.stringContaining('Paid.') },
  ]);
  expect(await brokenInvariants(world.pool)).toEqual([]);
});
