import { until } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { type CliWorld, cliWorld } from './support/cli-world';

/** A word to a dialog that has completed, and a goal that is revised, as a person types them. */

const transfer = { tool: 'wire_transfer', args: { iban: 'DE89370400440532013000', amount: 10 } };
const attempts = {
  talk: { 1: { text: 'It is blue.' } },
  waits: { 1: { calls: [transfer] }, 2: { text: 'As you say.' } },
};
let world: CliWorld;
beforeAll(async () => {
  world = await cliWorld({ attempts }, 'rules:\n  - { id: reads, when: effect == "none", decision: allow }\n');
});
afterAll(() => world?.close());
afterEach(async () => expect(await brokenInvariants(world.attempts.pool)).toEqual([]));

const requestOf = (attempt: string, step: number) =>
  JSON.stringify(
    world.attempts.model
      .requests()
      .findLast((request) => request.attempt === attempt && request.step === step)
      ?.body(),
  );

test('M8 say to a completed dialog begins the next turn, whose model reads what was said before', async () => {
  const { attemptId: first } = await world.json(0, 'start', world.task('talk', { input: 'Which colour?' }), '--wait');
  const next = await world.json<{ attemptId: string; continues: string; state: string }>(
    0,
    'say',
    first,
    'Why is that?',
    '--wait',
  );
  expect(next).toMatchObject({ attemptId: 'talk/2', continues: 'talk/1', state: 'COMPLETED' });
  const request = requestOf('talk/2', 1);
  for (const text of ['Which colour?', 'It is blue.', 'Why is that?']) expect(request).toContain(text);

  const said = await world.run('say', first, 'And this?');
  expect(said).toMatchObject({ code: 0 });
  expect(said.stdout).toContain('talk/1 has completed; the conversation goes on as talk/3.');
  await until(async () => (await world.json(0, 'show', 'talk/3')).state === 'COMPLETED', 'the third turn');
  expect((await world.run('watch', 'talk/3')).stdout).toContain('goes on from talk/2');
  expect(await world.run('say', first, 'No.', '--revise')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('has ended'),
  });
});

test('R1.2 say --revise while an approval waits: it is void, nothing is sent, and the next request holds the revision', async () => {
  const { attemptId: attempt } = await world.json(3, 'start', world.task('waits', {}), '--wait');
  const revised = await world.run('say', attempt, 'Transfer nothing.', '--revise', '--by', 'ana');
  expect(revised).toMatchObject({ code: 0, stdout: expect.stringContaining(`The goal of ${attempt} is revised`) });
  await until(async () => (await world.json(0, 'show', attempt)).state === 'COMPLETED', 'the end');

  expect(await world.json(0, 'effects', attempt)).toEqual([]);
  expect(world.shop.lines()).toEqual([]);
  const request = requestOf(attempt, 2);
  for (const text of ['Look after the shop.', 'Transfer nothing.', 'GOAL_REVISED']) expect(request).toContain(text);
  expect(await world.json(0, 'show', attempt)).toMatchObject({
    goal: 'Look after the shop.',
    revisions: ['Transfer nothing.'],
  });
  expect((await world.run('show', attempt)).stdout).toMatch(/revised +Transfer nothing\./);
  expect(await world.run('approve', attempt, 's1.a0', '--by', 'ana')).toMatchObject({ code: 2 });
  // The same task file still finds what it started.
  expect(await world.json(0, 'start', world.task('waits', {}))).toMatchObject({ outcome: 'completed_before' });
});
