import { type AttemptWorld, attemptWorld } from '../support/attempt-world';

let world: AttemptWorld;
beforeAll(async () => {
  world = await attemptWorld({ transcript: { steps: { 1: { text: 'Good day.' } } } });
  await world.startWorker();
});
afterAll(() => world.close());

test('R3.3 a dialog is completed by a final answer, and each state is in its events', async () => {
  const ref = await world.start({});
  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  const events = await world.events(ref);
  expect(events.map((event) => event.type)).toEqual([
    'attempt_created',
    'state_moved',
    'model_answered',
    'state_moved',
    'ended',
  ]);
});
