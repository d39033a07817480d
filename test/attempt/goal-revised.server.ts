import { type AttemptWorld, attemptWorld } from '../support/attempt-world';
import { brokenInvariants } from '../support/ledger-invariants';
import { testPolicy, writesAsk } from '../support/test-policy';
import { ok, tool } from '../support/test-tools';

/** A goal that is revised through the workflow's own update, while an approval waits (R1.2). */

let sends = 0;
let world: AttemptWorld;
beforeAll(async () => {
  const refund = tool({
    name: 'refund',
    effect: 'deduplicated',
    run: async () => {
      sends += 1;
      return ok('refunded');
    },
  });
  const steps = { 1: { calls: [{ tool: 'refund', args: { order: 1042 } }] }, 2: { text: 'Nothing was refunded.' } };
  world = await attemptWorld({ transcript: { steps }, tools: [refund], policy: testPolicy(writesAsk()) });
  await world.startWorker();
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

test('R1.2 R5.3 an update revises the goal: the request is void, the write is never sent, and the next request holds the revision', async () => {
  const ref = await world.start({ contract: { goal: 'Refund it.' } });
  await world.until(ref, 'WAITING_FOR_APPROVAL');
  const handle = world.handle(ref);
  const long = await handle.executeUpdate('say', { args: [{ text: 'x'.repeat(5_000), by: 'ana', revise: true }] });
  expect(long).toMatchObject({ taken: false, why: expect.stringContaining('at most 4000 characters') });
  const wrong = await handle.executeUpdate('say', { args: [{ text: 'No.', by: 'ana', revise: 'yes' }] });
  expect(wrong).toMatchObject({ taken: false, why: expect.stringContaining('revise') });

  expect(await handle.executeUpdate('say', { args: [{ text: 'Refund nothing.', by: 'ana', revise: true }] })).toEqual({
    taken: true,
  });
  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  expect(sends).toBe(0);
  const closed = (await world.events(ref)).filter(({ type }) =>
    ['approval_closed', 'goal_revised', 'action_denied'].includes(type),
  );
  expect(
    closed.map(({ type, payload }) => [type, payload['as'] ?? payload['contractVersion'] ?? payload['code']]),
  ).toEqual([
    ['goal_revised', 2],
    ['approval_closed', 'voided'],
    ['action_denied', 'GOAL_REVISED'],
  ]);
  const request = JSON.stringify(world.model.requests().at(-1)?.body());
  for (const text of ['Refund it.', 'Refund nothing.', 'GOAL_REVISED']) expect(request).toContain(text);
});
