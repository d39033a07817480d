import type { DatabasePort } from '../../src/activities/ports';
import { createVerify } from '../../src/activities/verify';
import { createVerifySealed } from '../../src/activities/verify-sealed';
import type { QueryCriterion } from '../../src/domain/contract/contract';
import { type ActivityWorld, activityWorld, callOf, never } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { brokenInvariants } from '../support/ledger-invariants';
import { rowsOf } from '../support/ledger-rows';

const marker = 'SEALEDMARK';
const final: QueryCriterion = {
  id: 'final',
  check: 'query',
  database: 'sales',
  sql: `select '${marker}'`,
  sealed: true,
};
const done = { 1: { calls: [{ tool: 'finish', args: { summary: 'Done.', status: 'done' } }] } };

let world: ActivityWorld;
beforeAll(async () => {
  world = await activityWorld({ attempts: { breaks: done, finds: done, open: done } });
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

async function candidate(task: string, query: DatabasePort['query']) {
  const worker = { ...(await world.worker()), databases: { names: () => ['sales'], query } };
  const attempt = new AttemptDriver(worker, await world.attempt({ task, contract: { acceptance: [final] } }));
  await attempt.think();
  const args = { candidate: 1, criterion: 'final' };
  const told = async () =>
    JSON.stringify([
      await rowsOf(world.pool, attempt.ref, 'select payload from events where attempt = $1'),
      await rowsOf(world.pool, attempt.ref, 'select body from evidence where attempt = $1'),
    ]);
  const kept = () =>
    rowsOf<{ body: { detail: string } }>(
      world.pool,
      attempt.ref,
      'select body from sealed_evidence where attempt = $1',
    );
  return { worker, attempt, args, told, kept };
}

test('R3.4 a bug in a sealed test, whose message may hold its content, is an answer without it', async () => {
  const { worker, attempt, args, told, kept } = await candidate('breaks', async () => {
    throw new Error(`${marker} cannot be asked`);
  });
  const call = callOf<'verifySealed'>(attempt.ref, ++attempt.n, args);
  const answered = await createVerifySealed(worker)(call, never);
  expect(answered.answer).toEqual({
    kind: 'failed',
    failure: { class: 'environment_drift', code: 'SEALED_TEST_BROKE' },
  });
  expect(await told()).not.toContain(marker);
  expect(await kept()).toMatchObject([{ body: { detail: expect.stringContaining(marker) } }]);
  expect(await createVerifySealed(worker)(call, never)).toEqual(answered); // M1
});

test('R3.4 what a sealed query finds is kept for auditors, and taints nothing', async () => {
  let looks = 0;
  const { worker, attempt, args, told, kept } = await candidate('finds', async () => {
    looks += 1;
    return { columns: ['x'], rows: [[`${marker}-${looks}`]] };
  });
  const call = callOf<'verifySealed'>(attempt.ref, ++attempt.n, args);
  expect((await createVerifySealed(worker)(call, never)).answer).toMatchObject({ kind: 'failed' }); // not reproducible
  expect(await told()).not.toContain(marker);
  expect(await kept()).toEqual([]);

  const next = callOf<'verifySealed'>(attempt.ref, ++attempt.n, { ...args, candidate: 2 });
  const steady = {
    ...worker,
    databases: { names: () => ['sales'], query: async () => ({ columns: ['x'], rows: [[`${marker}-rows`]] }) },
  };
  expect((await createVerifySealed(steady)(next, never)).answer).toEqual({ kind: 'checked', met: true });
  expect(await told()).not.toContain(marker);
  expect(JSON.stringify(await kept())).toContain(`${marker}-rows`);
  const [row] = await rowsOf<{ tainted: boolean }>(
    world.pool,
    attempt.ref,
    'select tainted from attempts where key = $1',
  );
  expect(row).toEqual({ tainted: false });
});

test('R3.4 the call of open criteria makes no sealed test, and a sealed one is no open criterion', async () => {
  const { worker, attempt, args } = await candidate('open', async () => ({ columns: [], rows: [] }));
  const call = callOf<'verify'>(attempt.ref, ++attempt.n, args);
  await expect(createVerify(worker)(call, never)).rejects.toThrow('no open criterion');
  const other = callOf<'verifySealed'>(attempt.ref, attempt.n, { candidate: 1, criterion: 'none' });
  await expect(createVerifySealed(worker)(other, never)).rejects.toThrow('no sealed test');
});
