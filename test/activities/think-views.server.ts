import { createThink } from '../../src/activities/think';
import { insertMessage } from '../../src/ledger/inbox';
import { type ActivityWorld, activityWorld, callOf, never } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { brokenInvariants } from '../support/ledger-invariants';
import { ok, tool } from '../support/test-tools';

let world: ActivityWorld;
beforeAll(async () => {
  const look = { calls: [{ tool: 'look', args: { step: '{#step}' } }] };
  const entries = [
    { attempt: 'gap', from: 2, to: 2, text: 'never', fault: { status: 401 } },
    { from: 1, ...look },
  ];
  world = await activityWorld({ entries }, [tool({ name: 'look', run: ({ step }) => ok(`Seen in step ${step}.`) })]);
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

async function begin(task: string): Promise<AttemptDriver> {
  return new AttemptDriver(await world.worker(), await world.attempt({ task }));
}
/** What the newest request showed of each call, in order. */
function shown(): string[] {
  return JSON.stringify(world.model.requests().at(-1)?.body()).match(/Seen in step \d+/g) ?? [];
}

test('M1 a repeated model call is answered also while the actions of its proposal have not run', async () => {
  const attempt = await begin('repeated');
  await attempt.stepWithOneAction();
  const answered = await attempt.think();

  const repeated = createThink(await world.worker())(
    callOf<'think'>(attempt.ref, attempt.n, { step: 2, turn: 1, model: 0, try: 1 }),
    never,
  );

  await expect(repeated).resolves.toEqual(answered);
});

test('R13.1 each step is shown once, in order, also where a step between them came to nothing', async () => {
  const attempt = await begin('gap');
  await attempt.stepWithOneAction();
  expect((await attempt.think()).answer).toMatchObject({ kind: 'failed' });
  for (let step = 3; step <= 5; step += 1) await attempt.stepWithOneAction();

  await attempt.think();

  expect(shown()).toEqual(['Seen in step 1', 'Seen in step 3', 'Seen in step 4', 'Seen in step 5']);
});

test('R13.1 a worker that comes to an attempt late shows what the one before it did', async () => {
  const attempt = await begin('moved');
  for (let step = 1; step <= 3; step += 1) await attempt.stepWithOneAction();
  const other = attempt.on(await world.worker());
  await other.stepWithOneAction();
  await insertMessage(world.pool, attempt.ref, { id: 'm', kind: 'say', body: { text: 'Hm.' } });

  const back = Object.assign(attempt, { n: other.n, step: other.step });
  await back.think();

  expect(shown()).toEqual([1, 2, 3, 4].map((step) => `Seen in step ${step}`));
});
