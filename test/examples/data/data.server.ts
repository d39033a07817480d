import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { brokenInvariants } from '../../support/ledger-invariants';
import { tempFolder } from '../../support/temp-folder';
import { testDatabases } from '../../support/test-databases';
import { type ExampleWorld, exampleFile, exampleWorld } from '../example-world';

let world: ExampleWorld;
beforeAll(async () => {
  const file = join(tempFolder('holdfast-orders-'), 'orders.sqlite');
  execFileSync(process.execPath, [exampleFile('data', 'make-database.mjs'), file]);
  world = await exampleWorld('data', testDatabases({ orders: { kind: 'sqlite', file } }));
  await world.startWorker();
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

test('R3.3 the figure completes once its rows are those that its query gives, with query, rows and definition as evidence', async () => {
  const ref = await world.run('task.yaml');
  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  const events = await world.events(ref);
  expect(events.filter(({ type }) => type === 'repair_requested').map(({ payload }) => payload)).toEqual([
    { candidate: 1, unmet: ['figure'] },
  ]);
  const [figure] = await world.evidence(ref);
  expect(figure).toMatchObject({ met: true, body: { ran: expect.stringContaining("region = 'north'") } });
  expect(JSON.parse(figure?.body.output ?? '')).toMatchObject({
    columns: ['cents', 'orders'],
    rows: [[47_490, 5]],
    definition: expect.stringContaining('returned and open orders are left out'),
  });
});

test('R3.3 a figure that is expected is the one that comes out', async () => {
  const ref = await world.run('task.yaml', (task) => ({
    ...task,
    contract: {
      ...task.contract,
      acceptance: [{ id: 'figure', check: 'query', database: 'orders', expect: { cents: 47_490, orders: 5 } }],
    },
  }));
  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
});

test('R3.5 a query that asks for the present time never completes, however often it is reported', async () => {
  const ref = await world.run('task-unsteady.yaml');
  expect(await world.stopped(ref)).toEqual({ state: 'SUSPENDED', reason: 'budget_exceeded' });
  const [figure] = await world.evidence(ref);
  expect(figure).toMatchObject({ met: false, body: { detail: expect.stringContaining("'now'") } });
});
