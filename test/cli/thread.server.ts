import { until } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { type CliWorld, cliWorld } from './support/cli-world';

/** A word to a dialog that has completed, and a goal that is revised, as a person types them. */

const transfer = { tool: 'wire_transfer', args: { iban: 'DE89370400440532013000', amount: 10 } };
const attempts = {
  talk: { 1: { text: 'It is blue.' } },
  slow: { 1: { text: 'It is blue.', delayMs: 1_500 }, 2: { text: 'Because of the air.' } },
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
    stderr: expect.stringContaining('`holdfast say talk/3 "…"` begins its next turn'),
  });
  expect(await world.json(0, 'show', 'talk/2')).toMatchObject({
    continues: 'talk/1',
    thread: [
      { attemptId: 'talk/1', state: 'COMPLETED', words: [{ text: 'Which colour?' }] },
      { attemptId: 'talk/2', words: [{ text: 'Why is that?' }] },
      { attemptId: 'talk/3', words: [{ text: 'And this?' }] },
    ],
  });
  expect((await world.run('show', 'talk/3')).stdout).toMatch(/goes on +from talk\/2/);
  expect((await world.run('watch', 'talk/3')).stdout).toContain('“And this?”');
  const listed = await world.json<object[]>(0, 'list');
  expect(listed).toContainEqual(
    expect.objectContaining({ attemptId: 'talk/3', continues: 'talk/2', lastWord: 'And this?' }),
  );
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

test('M8 a word to a dialog that is just completing is taken before its end, and answered to whoever waits', async () => {
  const task = world.task('slow', { input: 'Which colour?' });
  const { attemptId: attempt } = await world.json(0, 'start', task);
  await until(async () => requestOf(attempt, 1) !== undefined, 'the model is asked');
  const told = await world.json(0, 'say', attempt, 'Why is that?', '--wait');
  expect(told).toMatchObject({ attemptId: attempt, state: 'COMPLETED', fate: 'taken', turn: 2 });
  expect(requestOf(attempt, 2)).toContain('Why is that?');
});

test('M8 a word that a completing dialog has no turn left for begins the next turn of its Thread', async () => {
  const task = world.task('slow', { input: 'Which colour?', budget: { maxTurns: 1 } });
  const { attemptId: attempt } = await world.json(0, 'start', task, '--new');
  await until(async () => requestOf(attempt, 1) !== undefined, 'the model is asked');
  const next = await world.json<{ attemptId: string }>(0, 'say', attempt, 'Why is that?', '--wait');
  expect(next).toMatchObject({ continues: attempt, state: 'COMPLETED', fate: 'taken' });
  expect(next.attemptId).not.toBe(attempt);
  expect(requestOf(next.attemptId, 1)).toContain('Why is that?');
  expect(await world.json(0, 'show', attempt)).toMatchObject({ state: 'COMPLETED', turn: 1 });
});

test('M8 a word that is rejected ends with 2 and says so', async () => {
  const { attemptId: attempt } = await world.json(3, 'start', world.task('waits', {}), '--again', '--wait');
  await world.json(4, 'cancel', attempt, '--wait');
  expect(await world.run('say', attempt, 'Go on.', '--wait')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`${attempt} has ended: CANCELLED`),
  });
});
