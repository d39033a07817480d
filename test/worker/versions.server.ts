import { attemptHistories } from '../../src/temporal/histories';
import { type AttemptWorld, attemptWorld } from '../support/attempt-world';
import { until } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { rowsOf } from '../support/ledger-rows';
import { takeNewRuns } from '../support/take-new-runs';

const ask = { calls: [{ tool: 'ask_user', args: { question: 'Which?' } }] };
const version = (buildId: string) => ({ deploymentName: 'holdfast', buildId });

let world: AttemptWorld;
beforeAll(async () => {
  world = await attemptWorld({ transcript: { steps: { 1: ask, 2: ask, 3: { text: 'Done.' } } } });
});
afterAll(() => world.close());

test('R12.2 an attempt waits under one version of the worker, is upgraded, and ends under the next, with one pause in the ledger', async () => {
  const old = await world.startWorker({ deployment: version('one') });
  await takeNewRuns(world.client, version('one'));
  const ref = await world.start({});
  const runs = async () => (await attemptHistories(world.client, ref)).length;
  await world.until(ref, 'WAITING_FOR_USER');
  await until(async () => (await runs()) === 2, 'it rests in a run of its own');

  await world.startWorker({ deployment: version('two') });
  await takeNewRuns(world.client, version('two'));
  await world.handle(ref).signal('upgrade', {});
  await until(async () => (await runs()) === 3, 'it begins anew');
  await until(async () => (await buildOf()) === 'two', 'the new version has it');
  await old.stop();
  for (const turn of [2, 3]) {
    const asked = "select 1 from events where attempt = $1 and type = 'paused'";
    await until(async () => (await rowsOf(world.pool, ref, asked)).length === turn - 1, 'it is asked once');
    expect(await world.send(ref, { kind: 'say', body: { text: `Word ${turn}.` } })).toBe(true);
  }

  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  expect(await rowsOf(world.pool, ref, 'select turn from turns where attempt = $1')).toHaveLength(3);
  expect(await rowsOf(world.pool, ref, 'select id from inbox where attempt = $1')).toHaveLength(2);
  expect(await brokenInvariants(world.pool)).toEqual([]);

  async function buildOf() {
    const { raw } = await world.handle(ref).describe();
    return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId;
  }
});
