import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { TaskFile } from '../../../src/requests/task/task-file';
import { brokenInvariants } from '../../support/ledger-invariants';
import { tempFolder } from '../../support/temp-folder';
import { gitIn } from '../../workspace/support/sandpit';
import { type ExampleWorld, exampleFile, exampleWorld } from '../example-world';

let world: ExampleWorld;
const repository = join(tempFolder('holdfast-research-'), 'repository');
beforeAll(async () => {
  execFileSync(process.execPath, [exampleFile('research', 'make-repository.mjs'), repository]);
  world = await exampleWorld('research');
  await world.startWorker();
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

const here = (task: TaskFile): TaskFile => ({
  ...task,
  contract: { ...task.contract, workspace: { git: repository, ref: 'main', setup: [] } },
});

test('R3.3 the report completes once every quote stands in the document that was read, and the open question is listed', async () => {
  const ref = await world.run('task.yaml', here);
  expect(await world.stopped(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  const events = await world.events(ref);
  expect(events.filter(({ type }) => type === 'repair_requested').map(({ payload }) => payload)).toEqual([
    { candidate: 1, unmet: ['sources'] },
  ]);
  expect(JSON.stringify(world.model.requests().at(-1)?.body())).toContain('does not hold: “The pier sank');
  expect(await world.evidence(ref)).toMatchObject([
    { met: true, body: { output: expect.stringContaining('has sunk') } },
  ]);
  expect(gitIn(repository, 'status', '--porcelain')).toBe('');
});

test('R3.5 an invented quote and a document that was never read do not complete, however often they are cited', async () => {
  const ref = await world.run('task-invented.yaml', here);
  expect(await world.stopped(ref)).toEqual({ state: 'SUSPENDED', reason: 'budget_exceeded' });
  const [sources] = await world.evidence(ref);
  expect(sources?.met).toBe(false);
  for (const said of [
    '“The county pays for the repair.”',
    'harbour-courier.md was never read',
    'How far did the pier sink?',
  ])
    expect(sources?.body.detail).toContain(said);
});
