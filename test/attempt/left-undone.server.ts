import { closeLost } from '../../src/activities/close-lost';
import type { ArtifactPort, WorkspacePort } from '../../src/activities/ports';
import { insertMessage } from '../../src/ledger/inbox';
import { createLedger } from '../../src/ledger/ledger';
import { quietAttempts } from '../../src/ledger/sweep';
import { createModels } from '../../src/models/model-port';
import { closedStatus } from '../../src/temporal/closed-status';
import { createRegistry } from '../../src/tools/registry';
import { type AttemptWorld, attemptWorld } from '../support/attempt-world';
import { brokenInvariants } from '../support/ledger-invariants';
import { testPolicy } from '../support/test-policy';
import { testVersions } from '../support/test-versions';

let world: AttemptWorld;
beforeAll(async () => {
  const ask = { calls: [{ tool: 'ask_user', args: { question: 'Which?' } }] };
  world = await attemptWorld({
    transcript: { attempts: { asks: { 1: ask, 2: { text: 'Done.' } } }, steps: { 1: { text: 'Done.' } } },
  });
  await world.startWorker();
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

test('M4 a message whose sender died before the signal is taken all the same', async () => {
  const ref = await world.start({ task: 'asks' });
  await world.until(ref, 'WAITING_FOR_USER');
  await insertMessage(world.pool, ref, { id: 'orphan', kind: 'say', body: { text: 'The left one.' } });

  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  expect(await row('select id, disposition from inbox where attempt = $1', ref.key)).toEqual({
    id: 'orphan',
    disposition: 'taken',
  });
});

test('M4 an attempt whose client died before it started the workflow is started by a worker', async () => {
  const ref = await world.start({ rowOnly: true });
  await world.until(ref, 'COMPLETED');

  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  const started = 'select workflow_started_at is not null as started from attempts where key = $1';
  expect(await row(started, ref.key)).toEqual({ started: true });
});

/** A dialog without effects asks none of these but the ledger. */
const lostDeps = () => ({
  ledger: createLedger(world.pool),
  workspaces: {} as WorkspacePort,
  tools: createRegistry([]),
  policy: testPolicy(),
  artifacts: {} as ArtifactPort,
  models: createModels({}),
  versions: testVersions,
});

async function row(query: string, key: number): Promise<unknown> {
  return (await world.pool.query(query, [key])).rows[0];
}

test('R11.3 an attempt whose workflow was terminated from outside is closed, and its end says so', async () => {
  const ref = await world.start({ task: 'asks', again: true });
  await world.until(ref, 'WAITING_FOR_USER');
  await world.handle(ref).terminate('by hand');

  const quiet = (await quietAttempts(world.pool, 0)).find((attempt) => attempt.ref.key === ref.key);
  expect(quiet?.nextMove).toBeGreaterThan(1);
  const status = await closedStatus(world.client, ref);
  expect(status).toBe('TERMINATED');
  const deps = lostDeps();
  expect(await closeLost(deps, ref, quiet?.nextMove ?? 0, status ?? '')).toBe(true);

  expect(await world.stopped(ref)).toEqual({ state: 'CANCELLED', reason: 'cancelled' });
  expect((await world.events(ref)).map(({ type }) => type).slice(-2)).toEqual(['workflow_lost', 'ended']);
  expect(await closeLost(deps, ref, quiet?.nextMove ?? 0, 'TERMINATED')).toBe(false);
});

test('R11.3 a workflow that this Temporal does not know closes nothing, unless somebody cancels', async () => {
  const ref = await world.start({ rowOnly: true, task: 'elsewhere' });
  const deps = lostDeps();
  await world.until(ref, 'COMPLETED');
  const lost = await world.start({ task: 'asks', again: true });
  await world.until(lost, 'WAITING_FOR_USER');
  await world.handle(lost).terminate('as if its server had been lost');
  const { nextMove } = (await quietAttempts(world.pool, 0)).find((quiet) => quiet.ref.key === lost.key) ?? {
    nextMove: 0,
  };
  expect(await closeLost(deps, lost, nextMove, 'NOT_FOUND')).toBe(false);
  await insertMessage(world.pool, lost, { id: 'c', kind: 'cancel', body: { by: 'ana' } });
  expect(await closeLost(deps, lost, nextMove, 'NOT_FOUND')).toBe(true);
});
