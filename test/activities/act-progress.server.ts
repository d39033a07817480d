import { type ActivityWorld, activityWorld } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { brokenInvariants } from '../support/ledger-invariants';
import { eventTypes, observations, rowsOf, toolTries } from '../support/ledger-rows';
import { ok, tool } from '../support/test-tools';

let world: ActivityWorld;
let runs = 0;
const look = { tool: 'look', args: { at: 'a' } };
const plan = (id: string) => ({
  tool: 'update_plan',
  args: { steps: [{ id, title: `Step ${id}`, status: 'doing' }] },
});
beforeAll(async () => {
  const counted = (name: string, effect: 'none' | 'idempotent') =>
    tool({
      name,
      effect,
      run: () => {
        runs += 1;
        return ok('The same as ever.');
      },
    });
  const flaky = tool({
    name: 'flaky',
    run: () => {
      runs += 1;
      if (runs > 1) return ok('At last.');
      const error = { code: 'BUSY', message: 'Not now.', retryable: true, suggested_action: 'Wait.' };
      return { ok: false, failure: { class: 'tool_transient', code: 'BUSY' }, error };
    },
  });
  world = await activityWorld(
    {
      attempts: {
        planned: { 1: { calls: [look] }, 2: { calls: [look] }, 3: { calls: [plan('b')] }, 4: { calls: [look] } },
      },
      entries: [
        { attempt: 'writes', from: 1, calls: [{ tool: 'touch', args: { at: 'a' } }] },
        { attempt: 'flaky', from: 1, calls: [{ tool: 'flaky' }] },
        { from: 1, calls: [look] },
      ],
    },
    [flaky, counted('look', 'none'), counted('touch', 'idempotent')],
  );
});
beforeEach(() => {
  runs = 0;
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

async function begin(task: string): Promise<AttemptDriver> {
  return new AttemptDriver(await world.worker(), await world.attempt({ task, limits: { maxSameToolErrors: 100 } }));
}
async function repeats(attempt: AttemptDriver): Promise<number[]> {
  const rows = await rowsOf<{ repeats: number }>(
    world.pool,
    attempt.ref,
    `select (payload ->> 'repeats')::int as repeats from events where attempt = $1 and type = 'loop_warning' order by sequence`,
  );
  return rows.map((row) => row.repeats);
}

test.each(['loops', 'writes'])(
  'R7.3 a repeated call (%s) is recorded, then warned of, then not run, then the end of the attempt',
  async (task) => {
    const attempt = await begin(task);
    const answers = [];
    for (let call = 1; call <= 5; call += 1) answers.push((await attempt.stepWithOneAction()).answer);

    expect(answers).toEqual([
      { kind: 'observed', ok: true },
      { kind: 'observed', ok: true },
      { kind: 'observed', ok: true },
      { kind: 'observed', ok: false },
      { kind: 'observed', ok: false, loop: true },
    ]);
    expect(runs).toBe(3);
    const seen = await observations(world.pool, attempt.ref);
    expect(seen.map(({ text }) => /LOOP_WARNING|REPLAN_REQUIRED|LOOP_DETECTED/.exec(text)?.[0])).toEqual([
      undefined,
      undefined,
      'LOOP_WARNING',
      'REPLAN_REQUIRED',
      'LOOP_DETECTED',
    ]);
    expect(seen[2]?.text).toContain('The same as ever.');
    expect(await repeats(attempt)).toEqual([1, 2, 3, 4]);
    const tries = await toolTries(world.pool, attempt.ref);
    expect(tries.map(({ outcome, failure }) => failure ?? outcome)).toEqual([
      'ok',
      'ok',
      'ok',
      'REPLAN_REQUIRED',
      'LOOP_DETECTED',
    ]);
    expect(
      await rowsOf(world.pool, attempt.ref, 'select sent from tool_tries where attempt = $1 order by step'),
    ).toEqual([1, 2, 3, 4, 5].map((call) => ({ sent: task === 'writes' && call <= 3 })));
    expect((await eventTypes(world.pool, attempt.ref)).filter((type) => type === 'action_started')).toHaveLength(3);
  },
);

test('R7.1 the same call under another step of the plan is no repeat', async () => {
  const attempt = await begin('planned');
  for (let step = 1; step <= 4; step += 1) await attempt.stepWithOneAction();
  expect(await repeats(attempt)).toEqual([1]);
  expect(runs).toBe(3);
});

test('R7.1 the same call in a changed workspace is no repeat', async () => {
  const attempt = await begin('changed');
  await attempt.stepWithOneAction();
  await world.pool.query(`update attempts set snapshot = 'another' where key = $1`, [attempt.ref.key]);
  await attempt.stepWithOneAction();
  expect(await repeats(attempt)).toEqual([]);
});

test('R8.5 a second try of one action is no repeat of it', async () => {
  const attempt = await begin('flaky');
  const [action] = await attempt.actions();
  if (!action) throw new Error('No action.');

  expect((await attempt.act(action)).answer).toMatchObject({ kind: 'failed' });
  expect((await attempt.act(action, { tryNumber: 2 })).answer).toEqual({ kind: 'observed', ok: true });

  expect(await repeats(attempt)).toEqual([]);
});
