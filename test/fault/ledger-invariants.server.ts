import { insertMessage } from '../../src/ledger/inbox';
import { type ActivityWorld, activityWorld } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { brokenInvariants, invariants } from '../support/ledger-invariants';
import { ok, tool } from '../support/test-tools';

/** How each invariant can be broken by hand, as the ledger's owner; in the order of `invariants`. */
const breaks: readonly string[] = [
  'delete from events where sequence = 3',
  'update events set move = 1, k = 9 where sequence = (select max(sequence) from events)',
  'delete from moves where n = 2',
  `insert into executions (attempt, n, id, worker, kind, args_hash) select 1, 1, gen_random_uuid(), id, 'think', '' from workers limit 1`,
  `insert into executions (attempt, n, id, worker, kind, args_hash) select 1, 99, gen_random_uuid(), id, 'think', '' from workers limit 1`,
  `update model_tries set usage = jsonb_set(usage, '{costMicroUsd}', '1')`,
  `update attempts set account = jsonb_set(account, '{reservedTokens}', '5')`,
  `update attempts set account = jsonb_set(account, '{turns}', '7')`,
  'update tool_tries set closed_at = null where index = 0',
  'update tool_tries set execution = 2 where index = 0',
  `update model_tries set outcome = 'failed' where step = 1`,
  'delete from observations where index = 1',
  `update inbox set taken_by = null, disposition = null where id = 'said'`,
  'delete from inputs where ordinal = 2',
  `delete from events where type = 'ended'`,
];

let world: ActivityWorld;
beforeAll(async () => {
  world = await activityWorld(
    { steps: { 1: { calls: [{ tool: 'noop', repeat: 2, args: { n: '{index}' } }] }, 2: { text: 'Done.' } } },
    [tool({ name: 'noop', run: () => ok('') })],
  );
  const attempt = new AttemptDriver(await world.worker(), await world.attempt());
  const actions = await attempt.actions();
  await insertMessage(world.pool, attempt.ref, { id: 'said', kind: 'say', body: { text: 'Hurry.' } });
  for (const action of actions) await attempt.act(action);
  await attempt.think();
  await attempt.record({ at: 'end', state: 'COMPLETED', reason: 'success', candidate: 1 });
});
afterAll(() => world.close());

test('R12.5 a ledger that the activities wrote is sound', async () => {
  expect(await brokenInvariants(world.pool)).toEqual([]);
  expect(breaks).toHaveLength(invariants.length);
});

test.each(invariants.map(({ name }, index) => [name, breaks[index] ?? '']))(
  'R12.5 a ledger that breaks it is found out: %s',
  async (name, sql) => {
    const client = await world.pool.connect();
    try {
      await client.query('begin; set local role none');
      await client.query(sql);
      expect((await brokenInvariants(client)).map((broken) => broken.name)).toContain(name);
    } finally {
      await client.query('rollback');
      client.release();
    }
  },
);
