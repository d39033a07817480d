import type { Transcript } from '../../src/models/scripted/transcript-schema';
import { type ActivityWorld, activityWorld } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { brokenInvariants } from '../support/ledger-invariants';
import { observations, rowsOf } from '../support/ledger-rows';
import { ok, tool } from '../support/test-tools';

const done = { summary: 'All of it.', status: 'done' };
const attempts: NonNullable<Transcript['attempts']> = {
  done: { 1: { calls: [{ tool: 'finish', args: done }] } },
  blocked: { 1: { calls: [{ tool: 'finish', args: { ...done, status: 'blocked' } }] } },
  refused: { 1: { calls: [{ tool: 'finish', args: { ...done, status: 'refused' } }] } },
  'not-alone': {
    1: {
      calls: [
        { tool: 'echo', args: { text: 'a' } },
        { tool: 'finish', args: done },
      ],
    },
    2: { text: 'So.' },
  },
  'finish-wrong': { 1: { calls: [{ tool: 'finish', args: { summary: 1 } }] }, 2: { text: 'So.' } },
  ask: { 1: { text: 'Hm.', calls: [{ tool: 'ask_user', args: { question: 'Which?' } }] }, 2: { text: 'So.' } },
  'ask-beside': {
    1: {
      calls: [
        { tool: 'ask_user', args: { question: 'Which?' } },
        { tool: 'echo', args: { text: 'b' } },
      ],
    },
  },
  plan: {
    1: { calls: [{ tool: 'update_plan', args: { steps: [{ id: 'one', title: 'First', status: 'doing' }] } }] },
    2: { calls: [{ tool: 'update_plan', args: { steps: [{ id: 'one', title: 'First', status: 'lost' }] } }] },
    3: { text: 'So.' },
  },
  many: { 1: { calls: [{ tool: 'echo', args: { text: '{index}' }, repeat: 200 }] }, 2: { text: 'So.' } },
  'bad-args': { 1: { calls: [{ tool: 'echo', args: { text: 'c' } }], fault: { badArgs: true } }, 2: { text: 'So.' } },
  'breaks-schema': { 1: { calls: [{ tool: 'echo', args: { text: 7, more: true } }] }, 2: { text: 'So.' } },
  ghost: { 1: { calls: [{ tool: 'ghost' }, { tool: 'constructor' }] }, 2: { text: 'So.' } },
  forbidden: { 1: { calls: [{ tool: 'echo', args: { text: 'd' } }] } },
  filtered: { 1: { finish: 'content_filter' } },
  cut: { 1: { text: 'And then', finish: 'length' }, 2: { text: 'So.' } },
};

let world: ActivityWorld;
const ran: string[] = [];
beforeAll(async () => {
  const echo = tool({
    name: 'echo',
    validate: (args) => (typeof Object(args).text === 'string' ? undefined : 'text must be a string'),
    run: ({ text }) => {
      ran.push(String(text));
      return ok(String(text));
    },
  });
  world = await activityWorld({ attempts }, [echo]);
});
beforeEach(() => ran.splice(0));
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

async function begin(task: string, forbidden: string[] = []): Promise<AttemptDriver> {
  return new AttemptDriver(await world.worker(), await world.attempt({ task, contract: { forbidden } }));
}
const lastRequest = () => JSON.stringify(world.model.requests().at(-1)?.body());

test.each(['done', 'blocked', 'refused'])(
  'R3.2 finish with the status %s ends the turn under that name',
  async (status) => {
    const attempt = await begin(status);
    expect((await attempt.think()).answer).toEqual({ kind: 'proposal', stop: { kind: 'finish', status }, actions: [] });
    expect(await observations(world.pool, attempt.ref)).toMatchObject([{ ok: true }]);
    expect(await rowsOf(world.pool, attempt.ref, 'select model_stop from attempts where key = $1')).toEqual([
      { model_stop: 'finish' },
    ]);
  },
);

test('R3.2 finish beside another call is FINISH_NOT_ALONE, and the other call runs', async () => {
  const attempt = await begin('not-alone');
  const [echo, ...others] = await attempt.actions();
  expect(others).toEqual([]);
  if (echo) await attempt.act(echo);

  expect(await observations(world.pool, attempt.ref)).toMatchObject([
    { index: 0, ok: true },
    { index: 1, code: 'FINISH_NOT_ALONE' },
  ]);
  expect(ran).toEqual(['a']);
  await attempt.think();
  expect(lastRequest()).toContain('FINISH_NOT_ALONE');
});

test('R8.4 a finish whose arguments break its schema ends nothing and says what is wrong', async () => {
  const attempt = await begin('finish-wrong');
  const { answer } = await attempt.think();
  expect(answer).toMatchObject({ stop: { kind: 'actions' }, actions: [{ index: 0, tool: 'finish' }] });

  if (answer.kind === 'proposal' && answer.actions[0]) await attempt.act(answer.actions[0]);

  expect(await observations(world.pool, attempt.ref)).toMatchObject([{ ok: false, code: 'INVALID_ARGUMENTS' }]);
  expect((await attempt.think()).answer).toMatchObject({ stop: { kind: 'text' } });
});

test('R3.2 a question ends the turn as a question, and the calls beside it run first', async () => {
  const alone = await begin('ask');
  expect((await alone.think()).answer).toEqual({ kind: 'proposal', stop: { kind: 'ask' }, actions: [] });

  const beside = await begin('ask-beside');
  expect((await beside.think()).answer).toMatchObject({ stop: { kind: 'ask' }, actions: [{ index: 1, tool: 'echo' }] });
});

test('R13.1 a plan is kept outside the model and shown in the next view; a wrong one is refused and changes nothing', async () => {
  const attempt = await begin('plan');
  expect((await attempt.stepWithOneAction()).answer).toEqual({ kind: 'observed', ok: true });
  const refused = await attempt.stepWithOneAction();
  expect(refused.answer).toEqual({ kind: 'observed', ok: false });

  await attempt.think();

  expect(lastRequest()).toContain('[>] one: First');
  expect(await rowsOf(world.pool, attempt.ref, 'select body from task_states where attempt = $1')).toHaveLength(1);
  expect((await observations(world.pool, attempt.ref))[1]).toMatchObject({ code: 'INVALID_ARGUMENTS' });
});

test('R8.4 of 200 calls at once the first 32 are run and each of the others is told why it was not', async () => {
  const attempt = await begin('many');
  const actions = await attempt.actions();
  expect(actions.map(({ index }) => index)).toEqual(Array.from({ length: 32 }, (_, index) => index));
  for (const action of actions) await attempt.act(action);

  const seen = await observations(world.pool, attempt.ref);
  expect(seen).toHaveLength(200);
  expect(seen.slice(32).every(({ code }) => code === 'TOO_MANY_CALLS')).toBe(true);
  expect(ran).toHaveLength(32);
  expect((await attempt.think()).answer).toMatchObject({ stop: { kind: 'text' } });
});

test.each([
  ['bad-args', 'INVALID_ARGUMENTS'],
  ['breaks-schema', 'INVALID_ARGUMENTS'],
])('R8.4 arguments that are wrong (%s) run nothing and go back with what to correct', async (task, code) => {
  const attempt = await begin(task);

  expect((await attempt.stepWithOneAction()).answer).toEqual({ kind: 'observed', ok: false });

  expect(await observations(world.pool, attempt.ref)).toMatchObject([{ ok: false, code }]);
  expect(ran).toEqual([]);
  expect((await attempt.think()).answer).toMatchObject({ stop: { kind: 'text' } });
  expect(lastRequest()).toContain('suggested_action');
});

test('R8.3 a tool that does not exist is told with the ones that do', async () => {
  const attempt = await begin('ghost');
  for (const action of await attempt.actions()) await attempt.act(action);

  const seen = await observations(world.pool, attempt.ref);
  expect(seen.map(({ code }) => code)).toEqual(['TOOL_NOT_FOUND', 'TOOL_NOT_FOUND']);
  expect(JSON.parse(seen[0]?.text ?? '')).toEqual({
    ok: false,
    error: {
      code: 'TOOL_NOT_FOUND',
      message: 'There is no tool ghost.',
      retryable: false,
      suggested_action: 'Use one of: ask_user, finish, update_plan, read_artifact, recall, echo.',
    },
  });
  expect((await attempt.think()).answer).toMatchObject({ stop: { kind: 'text' } });
});

test('R5.2 a tool that the contract forbids is not offered and not run', async () => {
  const attempt = await begin('forbidden', ['echo']);
  await attempt.stepWithOneAction();

  expect(await observations(world.pool, attempt.ref)).toMatchObject([{ ok: false, code: 'TOOL_NOT_ALLOWED' }]);
  expect(ran).toEqual([]);
  expect(lastRequest()).not.toContain('"name":"echo"');
});

test("R3.2 the provider's own refusal is a refusal, and an answer cut at its limit goes on", async () => {
  const filtered = await begin('filtered');
  expect((await filtered.think()).answer).toMatchObject({ stop: { kind: 'refusal' } });

  const cut = await begin('cut');
  expect((await cut.think()).answer).toMatchObject({ stop: { kind: 'truncated' } });
  await cut.think();
  expect(lastRequest()).toContain('Your answer was cut');
});
