import { insertMessage } from '../../src/ledger/inbox';
import { type AttemptWorld, attemptWorld } from '../support/attempt-world';
import { brokenInvariants } from '../support/ledger-invariants';

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

async function row(query: string, key: number): Promise<unknown> {
  return (await world.pool.query(query, [key])).rows[0];
}
