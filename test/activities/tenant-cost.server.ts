import type { TenantCost } from '../../src/domain/budget/tenant-cost';
import { insertMessage } from '../../src/ledger/inbox';
import { type ActivityWorld, activityWorld } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { brokenInvariants } from '../support/ledger-invariants';
import { accountOf, modelTries, rowsOf } from '../support/ledger-rows';

/** What the attempts of one tenant may cost together (R6.1, R6.2), on two workers with connections of their own. */

/** As long as an answer may be, so that a call costs most of what it reserves. */
const usage = { promptTokens: 100, completionTokens: 1_000 };
/** At the world's prices: 1 US dollar a million in, 4 out. */
const costOfCall = 4_100;

let world: ActivityWorld;
beforeEach(async () => {
  world = await activityWorld({ entries: [{ from: 1, text: 'Yes.', usage }] });
});
afterEach(async () => {
  expect(await brokenInvariants(world.pool)).toEqual([]);
  await world.close();
});

async function begin(cost: TenantCost | undefined, task = 'talk'): Promise<AttemptDriver> {
  const costs = cost && { default: cost };
  return new AttemptDriver({ ...(await world.worker()), tenantCosts: costs }, await world.attempt({ task }));
}
const total = (maxCostMicroUsd: number): TenantCost => ({ maxCostMicroUsd, per: 'total' });
const over = { kind: 'over_budget', limit: 'tenantMaxCostMicroUsd', least: expect.any(Number) };

test('R6.1 R6.2 of two attempts that race for the last dollar, one gets it and the other is not sent', async () => {
  const probe = await begin(undefined);
  await probe.think();
  const [{ reserved } = { reserved: { costMicroUsd: 0 } }] = await rowsOf<{ reserved: { costMicroUsd: number } }>(
    world.pool,
    probe.ref,
    'select reserved from model_tries where attempt = $1',
  );
  // Room for one more call, and not for two.
  const room = Math.ceil(reserved.costMicroUsd * 1.5);

  for (let round = 0; round < 5; round += 1) {
    const before = await spent();
    const left = total(before + room);
    const racers = [await begin(left), await begin(left)];
    const answers = (await Promise.all(racers.map((racer) => racer.think()))).map(({ answer }) => answer);
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['over_budget', 'proposal']);
    expect(answers).toContainEqual(over);
    const loser = racers[answers.findIndex(({ kind }) => kind === 'over_budget')];
    expect(await modelTries(world.pool, loser?.ref ?? probe.ref)).toEqual([]);
  }
});

async function spent(): Promise<number> {
  const { rows } = await world.pool.query<{ cost: string }>(
    `select sum((account ->> 'costMicroUsd')::int) as cost from attempts`,
  );
  return Number(rows[0]?.cost);
}

test('R6.1 a limit lower than what is used already stops the next call, which asked again goes on once it is raised', async () => {
  const first = await begin(undefined);
  await first.think();
  expect(await accountOf(world.pool, first.ref)).toMatchObject({ costMicroUsd: costOfCall });

  const second = await begin(total(costOfCall - 1));
  expect((await second.think()).answer).toEqual(over);
  const events = await rowsOf<{ payload: unknown }>(
    world.pool,
    second.ref,
    `select payload from events where attempt = $1 and type = 'budget_exceeded'`,
  );
  const ask = expect.any(Number);
  const refused = { limit: 'tenantMaxCostMicroUsd', used: costOfCall, max: costOfCall - 1, ask, per: 'total' };
  expect(events).toEqual([{ payload: refused }]);
  expect(await accountOf(world.pool, second.ref)).toMatchObject({ reservedCostMicroUsd: 0, costMicroUsd: 0 });

  const raised = second.on({ ...(await world.worker()), tenantCosts: { default: total(1_000_000) } });
  expect((await raised.thinkAgain(2)).answer).toMatchObject({ kind: 'proposal' });
});

test('R6.1 what was spent before the day or month counts for it no more, and a tenant without a limit has none', async () => {
  const first = await begin(undefined);
  await first.think();
  const nextYear = Date.now() + 366 * 24 * 3_600_000;
  for (const per of ['day', 'month'] as const) {
    const cost = { maxCostMicroUsd: costOfCall + 1, per };
    expect((await (await begin(cost)).think()).answer).toEqual(over);
    expect((await (await begin({ maxCostMicroUsd: 1_000_000, per })).think()).answer).toMatchObject({
      kind: 'proposal',
    });
    const later = await begin({ maxCostMicroUsd: 100_000, per });
    expect((await later.think({ now: nextYear })).answer).toMatchObject({ kind: 'proposal' });
  }
});

test('R6.1 what attempts of other tasks were billed counts for the tenant, also once they have ended', async () => {
  const ends = [['COMPLETED', 'success'], ['CANCELLED', 'cancelled'], undefined] as const;
  for (const [ordinal, end] of ends.entries()) {
    const earlier = await begin(undefined, `task-${ordinal}`);
    await earlier.think();
    if (end?.[0] === 'COMPLETED') await earlier.record({ at: 'end', state: end[0], reason: end[1], candidate: 0 });
    if (end?.[0] === 'CANCELLED') await earlier.settle();
  }
  const { rows } = await world.pool.query('select 1 from attempts where ended_at is not null');
  expect(rows).toHaveLength(2);

  for (const per of ['day', 'month', 'total'] as const) {
    const spent = 3 * costOfCall;
    const next = await begin({ maxCostMicroUsd: spent, per }, `next-${per}`);
    expect((await next.think()).answer).toEqual(over);
    const [{ payload } = { payload: undefined }] = await rowsOf<{ payload: unknown }>(
      world.pool,
      next.ref,
      `select payload from events where attempt = $1 and type = 'budget_exceeded'`,
    );
    expect(payload).toMatchObject({ used: spent, max: spent, per });
  }
});

/** What is there was made so many days ago, as the owner of the tables says it. */
async function letPass(days: number): Promise<void> {
  const client = await world.pool.connect();
  try {
    await client.query('begin; set local role none');
    await client.query(`update model_tries set opened_at = opened_at - $1 * interval '1 day'`, [days]);
    await client.query(`update attempts set created_at = created_at - $1 * interval '1 day'`, [days]);
    await client.query('commit');
  } finally {
    client.release();
  }
}

test('R6.1 of an attempt that began before the period only what it was billed within it counts', async () => {
  const older = await begin(undefined, 'older');
  await older.think();
  await letPass(40);
  await older.think();
  expect(await accountOf(world.pool, older.ref)).toMatchObject({ costMicroUsd: 2 * costOfCall });

  const used = async (per: TenantCost['per']) => {
    const next = await begin({ maxCostMicroUsd: 1, per }, `next-${per}`);
    expect((await next.think()).answer).toEqual(over);
    const [row] = await rowsOf<{ payload: { used: number } }>(
      world.pool,
      next.ref,
      `select payload from events where attempt = $1 and type = 'budget_exceeded'`,
    );
    return row?.payload.used;
  };
  expect(await used('day')).toBe(costOfCall);
  expect(await used('month')).toBe(costOfCall);
  expect(await used('total')).toBe(2 * costOfCall);
});

test('R6.1 R6.3 a limit that was lowered below what is used while an attempt slept stops its next call, and what it did stands', async () => {
  const asleep = await begin(total(1_000_000));
  await asleep.think();
  await asleep.record({ at: 'pause', state: 'SUSPENDED', reason: 'suspended' });
  await insertMessage(world.pool, asleep.ref, { id: 'go', kind: 'resume', body: { by: 'ana' } });

  const lowered = asleep.on({ ...(await world.worker()), tenantCosts: { default: total(costOfCall - 100) } });
  const resumed = await lowered.record({ at: 'pause', state: 'SUSPENDED', reason: 'suspended' });
  expect(resumed.answer).toEqual({ kind: 'resume' });
  expect((await lowered.think()).answer).toEqual(over);
  expect(await accountOf(world.pool, asleep.ref)).toMatchObject({ costMicroUsd: costOfCall, reservedCostMicroUsd: 0 });

  // The attempt's own limits are those that it was started with, whatever the configuration gives new ones.
  const raised = lowered.on({ ...(await world.worker()), tenantCosts: { default: total(1_000_000) } });
  expect((await raised.thinkAgain(2)).answer).toMatchObject({ kind: 'proposal' });
});
